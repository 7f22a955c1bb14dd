import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import {
  BASE,
  both,
  check,
  KEY,
  MODEL,
  pdf,
  png,
  prompt,
  resumed,
  sawImage,
  sawPdf,
  schema,
  weather,
} from './common.mjs'

const providers = {
  openai: () => createOpenAI({ baseURL: `${BASE}/v1`, apiKey: KEY })(MODEL),
  anthropic: () => createAnthropic({ baseURL: `${BASE}/v1`, apiKey: KEY })(MODEL),
  google: () => createGoogleGenerativeAI({ baseURL: `${BASE}/v1beta`, apiKey: KEY })(MODEL),
}
const model = providers[process.env.PROVIDER]()
const tools = {
  get_weather: tool({
    description: 'weather',
    inputSchema: jsonSchema(schema),
    execute: async (input) => weather(input),
  }),
}
const ask = { model, tools, stopWhen: stepCountIs(5), maxRetries: 0 }

await check(
  'tools',
  async () => {
    let failure
    const result = streamText({
      ...ask,
      prompt,
      onError: ({ error }) => {
        failure = error
      },
    })
    const text = await result.text
    if (failure) throw failure
    return text
  },
  both,
)
const turns = [
  { role: 'user', content: 'one' },
  { role: 'assistant', content: 'two' },
  { role: 'user', content: 'three' },
]
await check('resume', async () => (await generateText({ ...ask, messages: turns })).text, resumed)
const see = async (part) =>
  (await generateText({ ...ask, messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, part] }] })).text
await check('image', () => see({ type: 'file', mediaType: 'image/png', data: png }), sawImage)
await check('pdf', () => see({ type: 'file', mediaType: 'application/pdf', data: pdf, filename: 'a.pdf' }), sawPdf)
