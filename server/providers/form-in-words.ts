import type { ChatRequest } from '#server/dialects/chat.ts'

function instructed(request: ChatRequest, text: string): ChatRequest {
  const instruction = { role: 'system' as const, parts: [{ type: 'text' as const, text }] }
  return { ...request, responseFormat: undefined, messages: [instruction, ...request.messages] }
}

/** The form of the answer, asked for in words where it is no setting. */
export function withFormInWords(request: ChatRequest): ChatRequest {
  const format = request.responseFormat
  if (format?.type === 'json') return instructed(request, 'Answer with one JSON object and nothing else.')
  if (format?.type !== 'json-schema') return request
  const schema = JSON.stringify(format.schema)
  return instructed(request, `Answer with JSON that fits this schema and with nothing else: ${schema}`)
}
