import { expect, test } from 'bun:test'
import { objectOf } from '#server/lib/json.ts'
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat } from './openai-chat/openai-chat.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'

const pdf = 'JVBERg=='

test.each([
  ['Quarterly report', 'Quarterly report.pdf'],
  ['Report v1.2 of May', 'Report v1.2 of May.pdf'],
  ['report.pdf', 'report.pdf'],
  ['REPORT.PDF', 'REPORT.PDF'],
])('a document titled %j reaches OpenAI as a file named %j, which it reads by its ending', (title, filename) => {
  const source = { type: 'base64', media_type: 'application/pdf', data: pdf }
  const content = [{ type: 'document', source, title }]
  const asked = anthropicMessages.decodeRequest({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] })
  for (const dialect of [openaiChat, openaiResponses])
    expect(JSON.stringify(dialect.encodeRequest(asked))).toContain(`"filename":${JSON.stringify(filename)}`)
})

test('files of other kinds are named by their kind, or keep the name they have', () => {
  const inlineData = { mimeType: 'text/csv', data: 'YTtiCg==', displayName: 'numbers' }
  const asked = gemini.decodeRequest({ model: 'm', contents: [{ parts: [{ inlineData }] }] })
  const sent = objectOf(openaiResponses.encodeRequest(asked))
  expect(JSON.stringify(sent)).toContain('"filename":"numbers.csv"')
  const named = { ...inlineData, displayName: 'numbers.tsv' }
  const kept = gemini.decodeRequest({ model: 'm', contents: [{ parts: [{ inlineData: named }] }] })
  expect(JSON.stringify(openaiResponses.encodeRequest(kept))).toContain('"filename":"numbers.tsv"')
})
