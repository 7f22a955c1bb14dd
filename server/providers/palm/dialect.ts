import type { ChatEvent, ChatFault, ChatRequest } from '#server/dialects/chat.ts'
import type { Json, UpstreamDialect } from '#server/dialects/dialect.ts'
import { faultEvents, faultOfKind, faultOfStatus, unreadable } from '#server/dialects/fault.ts'
import { jsonStreamDecoder } from '#server/dialects/json-stream.ts'
import { plainText } from '#server/dialects/prompt-parts.ts'
import { arrayOf, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'

function encodeRequest(request: ChatRequest): Json {
  return {
    prompt: {
      messages: request.messages.map((message) => ({
        author: message.role === 'assistant' ? '1' : '0',
        content: plainText(message.parts),
      })),
    },
    temperature: request.temperature,
    candidateCount: request.n,
    topP: request.topP,
    topK: request.topK,
  }
}

function errorIn(body: JsonObject): ChatFault | undefined {
  const error = objectOf(body.error)
  if (!error) return undefined
  const status = numberOf(error.code) ?? 500
  return faultOfStatus(status, textOf(error.message) ?? `PaLM error ${status}`, textOf(error.status))
}

function read(body: JsonObject): ChatEvent[] {
  const error = errorIn(body)
  if (error) return faultEvents(error)
  const candidates = arrayOf(body.candidates)
  const filter = objectOf(arrayOf(body.filters)[0])
  if (candidates.length === 0 && filter)
    return faultEvents(
      faultOfKind('filtered', textOf(filter.message) ?? textOf(filter.reason) ?? 'The prompt was blocked.'),
    )
  return [
    { type: 'start' },
    ...candidates.flatMap((candidate, choice): ChatEvent[] => [
      { type: 'text-delta', text: textOf(objectOf(candidate)?.content) ?? '', choice },
      { type: 'finish', reason: 'stop', choice },
    ]),
  ]
}

/** Google's PaLM 2 chat: never streams, reports no usage. */
export const palm: UpstreamDialect = {
  id: 'palm',
  framing: 'sse',
  carries: new Set(['n']),
  encodeRequest,
  decodeResponse(body) {
    const answer = objectOf(body)
    return answer ? read(answer) : faultEvents(unreadable())
  },
  streamDecoder: () => jsonStreamDecoder(read),
  decodeError(status, body) {
    return errorIn(objectOf(body) ?? {}) ?? faultOfStatus(status, `PaLM answered with status ${status}.`)
  },
}
