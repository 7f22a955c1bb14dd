import type { ChatEvent, ChatFault, ChatRequest } from '#server/dialects/chat.ts'
import type { Json, UpstreamDialect } from '#server/dialects/dialect.ts'
import { faultEvents, faultOfStatus, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import { plainText } from '#server/dialects/prompt-parts.ts'
import { arrayOf, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'

/** `libraryId` is the channel's: the provider adds it. */
function encodeRequest(request: ChatRequest): Json {
  const asked = request.messages.findLast((message) => message.role === 'user')
  return { model: request.model, query: asked ? plainText(asked.parts) : '', stream: request.stream }
}

function references(documents: readonly unknown[]): string {
  const lines = documents.flatMap((value, position) => {
    const document = objectOf(value)
    const title = textOf(document?.title) || textOf(document?.url)
    return title ? [`${position + 1}. [${title}](${textOf(document?.url) ?? ''})`] : []
  })
  return lines.length === 0 ? '' : `\n\nReferences:\n\n${lines.join('\n')}`
}

function errorIn(body: JsonObject): ChatFault | undefined {
  const code = numberOf(body.errCode) ?? 0
  if (code === 0 && body.success !== false) return undefined
  const message = textOf(body.message) ?? `AI Proxy error ${code}`
  return faultOfStatus(code >= 400 && code < 600 ? code : 500, message, String(code))
}

function textEvents(text: string | undefined): ChatEvent[] {
  return text ? [{ type: 'text-delta', text }] : []
}

function createReader(): { read(chunk: JsonObject): ChatEvent[]; rest(): ChatEvent[] } {
  let documents: readonly unknown[] = []
  let started = false
  let finished = false
  return {
    read(chunk) {
      const error = errorIn(chunk)
      if (error) return faultEvents(error)
      const events: ChatEvent[] = started ? [] : [{ type: 'start', model: textOf(chunk.model) }]
      started = true
      const named = arrayOf(chunk.documents)
      if (named.length > 0) documents = named
      finished ||= chunk.finish === true
      return [...events, ...textEvents(textOf(chunk.content))]
    },
    rest: () => (finished ? [...textEvents(references(documents)), { type: 'finish', reason: 'stop' }] : []),
  }
}

/** AI Proxy's knowledge base: takes the last question, answers with documents, reports no usage. */
export const aiproxyLibrary: UpstreamDialect = {
  id: 'aiproxy-library',
  framing: 'sse',
  encodeRequest,
  decodeResponse(body) {
    const answer = objectOf(body)
    if (!answer) return faultEvents(unreadable())
    const error = errorIn(answer)
    if (error) return faultEvents(error)
    const text = `${textOf(answer.answer) ?? ''}${references(arrayOf(answer.documents))}`
    return [{ type: 'start' }, ...textEvents(text), { type: 'finish', reason: 'stop' }]
  },
  streamDecoder() {
    const { read, rest } = createReader()
    return jsonStreamDecoder(read, rest)
  },
  decodeError(status, body) {
    return errorIn(objectOf(body) ?? {}) ?? faultOfStatus(status, `AI Proxy answered with status ${status}.`)
  },
}
