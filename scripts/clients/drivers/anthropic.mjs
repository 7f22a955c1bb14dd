import Anthropic from '@anthropic-ai/sdk'
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

const client = new Anthropic({ baseURL: BASE, apiKey: KEY, maxRetries: 0 })
const textOf = ({ content }) =>
  content
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('')
const tool = {
  name: 'get_weather',
  input_schema: schema,
  description: 'weather',
  run: async (input) => weather(input),
  parse: (input) => input,
}

const say = async (messages, more = {}) =>
  textOf(await client.messages.stream({ model: MODEL, max_tokens: 500, messages, ...more }).finalMessage())

const user = (content) => ({ role: 'user', content })
await check(
  'tools',
  async () =>
    textOf(
      await client.beta.messages.toolRunner({ model: MODEL, max_tokens: 500, messages: [user(prompt)], tools: [tool] }),
    ),
  both,
)
await check('resume', () => say([user('one'), { role: 'assistant', content: 'two' }, user('three')]), resumed)
const source = (media_type, data) => ({ type: 'base64', media_type, data })
await check('image', () => say([user([{ type: 'image', source: source('image/png', png) }])]), sawImage)
await check('pdf', () => say([user([{ type: 'document', source: source('application/pdf', pdf) }])]), sawPdf)
