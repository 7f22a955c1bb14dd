import type { ChatRequest, TextPart } from '#server/dialects/chat.ts'
import { arrayOf, objectOf } from '#server/lib/json.ts'
import type { Body } from './provider.ts'

const schemaInWords = (schema: unknown): string =>
  `Answer with JSON that fits this schema and with nothing else: ${JSON.stringify(schema)}`

/** Some take instructions once, at the beginning. */
function instructed(request: ChatRequest, text: string): ChatRequest {
  const instruction: TextPart = { type: 'text', text }
  const [first, ...rest] = request.messages
  const messages: ChatRequest['messages'] =
    first?.role === 'system'
      ? [{ ...first, parts: [instruction, ...first.parts] }, ...rest]
      : [{ role: 'system', parts: [instruction] }, ...request.messages]
  return { ...request, responseFormat: undefined, messages }
}

/** The form of the answer, asked for in words where it is no setting. */
export function withFormInWords(request: ChatRequest): ChatRequest {
  const format = request.responseFormat
  if (format?.type === 'json') return instructed(request, 'Answer with one JSON object and nothing else.')
  return format?.type === 'json-schema' ? instructed(request, schemaInWords(format.schema)) : request
}

/** The same for vendors that can be held to JSON, but to no schema. */
export function withSchemaInWords(request: ChatRequest): ChatRequest {
  const isSchema = request.responseFormat?.type === 'json-schema'
  return isSchema ? { ...withFormInWords(request), responseFormat: { type: 'json' } } : request
}

/** The same for a body in OpenAI's shape. */
export function withSchemaInMessages(body: Body): Body {
  const format = objectOf(body.response_format)
  if (format?.type !== 'json_schema') return body
  const instruction = { role: 'system', content: schemaInWords(objectOf(format.json_schema)?.schema ?? {}) }
  const messages = [instruction, ...arrayOf(body.messages)] as Body[]
  return { ...body, response_format: { type: 'json_object' }, messages }
}
