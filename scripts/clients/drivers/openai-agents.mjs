import { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
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

setTracingDisabled(true)
setDefaultOpenAIClient(new OpenAI({ baseURL: `${BASE}/v1`, apiKey: KEY, maxRetries: 0 }))
const parameters = { ...schema, additionalProperties: false }
const get_weather = tool({
  name: 'get_weather',
  description: 'weather',
  parameters,
  strict: false,
  execute: async (input) => weather(input),
})
const agent = new Agent({ name: 'a', model: MODEL, tools: [get_weather] })

let first
await check(
  'tools',
  async () => {
    first = await run(agent, prompt)
    return first.finalOutput
  },
  both,
)
await check(
  'resume',
  async () => (await run(agent, [...first.history, { role: 'user', content: 'again' }])).finalOutput,
  resumed,
)
const see = async (part) =>
  (await run(agent, [{ role: 'user', content: [{ type: 'input_text', text: 'x' }, part] }])).finalOutput
await check('image', () => see({ type: 'input_image', image: `data:image/png;base64,${png}` }), sawImage)
await check(
  'pdf',
  () => see({ type: 'input_file', file: `data:application/pdf;base64,${pdf}`, filename: 'a.pdf' }),
  sawPdf,
)
