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
const tools = [{ type: 'function', name: 'get_weather', parameters: schema, strict: false }]
let last

async function loop(input, more = {}) {
  for (let turn = 0; turn < 5; turn++) {
    last = await client.responses.stream({ model: MODEL, input, tools, ...more }).finalResponse()
    const calls = last.output.filter(({ type }) => type === 'function_call')
    if (calls.length === 0) return last.output_text
    more = { previous_response_id: last.id }
    input = calls.map((call) => ({
      type: 'function_call_output',
      call_id: call.call_id,
      output: weather(JSON.parse(call.arguments)),
    }))
  }
}

await check('tools', () => loop(prompt), both)
await check('resume', () => loop('again', { previous_response_id: last.id }), resumed)
const image = { type: 'input_image', image_url: `data:image/png;base64,${png}` }
await check('image', () => loop([{ role: 'user', content: [{ type: 'input_text', text: 'x' }, image] }]), sawImage)
const file = { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` }
await check('pdf', () => loop([{ role: 'user', content: [{ type: 'input_text', text: 'x' }, file] }]), sawPdf)
