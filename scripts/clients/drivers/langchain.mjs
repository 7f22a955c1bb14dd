import { ChatOpenAI } from '@langchain/openai'
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

const model = new ChatOpenAI({ model: MODEL, apiKey: KEY, configuration: { baseURL: `${BASE}/v1` }, maxRetries: 0 })
const able = model.bindTools([
  { type: 'function', function: { name: 'get_weather', description: 'weather', parameters: schema } },
])

async function loop(messages) {
  for (let turn = 0; turn < 5; turn++) {
    const answer = await able.invoke(messages)
    messages.push(answer)
    if (!answer.tool_calls?.length) return answer.text
    for (const call of answer.tool_calls)
      messages.push({ role: 'tool', tool_call_id: call.id, content: weather(call.args) })
  }
}

const history = [{ role: 'user', content: prompt }]
await check('tools', () => loop(history), both)
await check('resume', () => loop([...history, { role: 'user', content: 'again' }]), resumed)
const see = async (part) => (await model.invoke([{ role: 'user', content: [{ type: 'text', text: 'x' }, part] }])).text
await check('image', () => see({ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }), sawImage)
await check(
  'pdf',
  () => see({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` } }),
  sawPdf,
)
