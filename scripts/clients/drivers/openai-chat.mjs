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

const client = new OpenAI({ baseURL: `${BASE}/v1`, apiKey: KEY, maxRetries: 0 })
const tools = [{ type: 'function', function: { name: 'get_weather', parameters: schema } }]

async function loop(messages, more = {}) {
  for (let turn = 0; turn < 5; turn++) {
    const stream = client.chat.completions.stream({ model: MODEL, messages, ...more })
    const { message } = (await stream.finalChatCompletion()).choices[0]
    messages.push(message)
    if (!message.tool_calls?.length) return message.content
    for (const call of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: call.id, content: weather(JSON.parse(call.function.arguments)) })
  }
}

const history = [{ role: 'user', content: prompt }]
await check('tools', () => loop(history, { tools }), both)
await check('resume', () => loop([...history, { role: 'user', content: 'again' }], { tools }), resumed)
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }
await check('image', () => loop([{ role: 'user', content: [{ type: 'text', text: 'x' }, image] }]), sawImage)
const file = { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` } }
await check('pdf', () => loop([{ role: 'user', content: [{ type: 'text', text: 'x' }, file] }]), sawPdf)
