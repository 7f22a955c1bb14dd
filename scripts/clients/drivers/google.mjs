import { GoogleGenAI } from '@google/genai'
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

const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: BASE } })
const tools = [
  { functionDeclarations: [{ name: 'get_weather', description: 'weather', parametersJsonSchema: schema }] },
]
const chat = client.chats.create({ model: MODEL, config: { tools } })

async function send(message) {
  let text = ''
  const calls = []
  for await (const chunk of await chat.sendMessageStream({ message })) {
    text += chunk.text ?? ''
    calls.push(...(chunk.functionCalls ?? []))
  }
  if (calls.length === 0) return text
  return send(
    calls.map(({ id, name, args }) => ({ functionResponse: { id, name, response: { output: weather(args) } } })),
  )
}

await check('tools', () => send(prompt), both)
await check('resume', () => send('again'), resumed)
const one = async (mimeType, data) =>
  (
    await client.models.generateContent({
      model: MODEL,
      contents: [{ role: 'user', parts: [{ text: 'x' }, { inlineData: { mimeType, data } }] }],
    })
  ).text
await check('image', () => one('image/png', png), sawImage)
await check('pdf', () => one('application/pdf', pdf), sawPdf)
