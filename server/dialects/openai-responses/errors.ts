import type { ChatFault, ChatRequest } from '#server/dialects/chat.ts'
import type { Frame, Shown } from '#server/dialects/dialect.ts'
import { messageWithId } from '#server/dialects/error-body.ts'
import { encodeError } from '#server/dialects/openai-chat/errors.ts'
import { numberOf, objectOf, parseObject } from '#server/lib/json.ts'
import { createStreamEncoder } from './response-encode.ts'

const nothing: ChatRequest = { model: '', messages: [], stream: true, includeUsage: true }

/**
 * OpenAI reports a failure twice, and clients read one of the two: SDKs the event `error` (its own fields, or `error` in it),
 * agents the response that failed. It is the response of the events before, and the events are counted on from there.
 */
export function encodeStreamError(fault: ChatFault, requestId: string, { start, data = '' }: Shown = {}): Frame[] {
  const encoder = createStreamEncoder(nothing)
  encoder.push(start ?? { type: 'start', id: requestId })
  const frames = encoder.push({ type: 'fault', fault: { ...fault, message: messageWithId(fault, requestId) } })
  const last = numberOf(parseObject(data).sequence_number) ?? -1
  return frames
    .filter(({ event }) => event === 'error' || event === 'response.failed')
    .map(({ event = '', data: written }, at) => {
      const own = event === 'error' ? objectOf(encodeError(fault, requestId)) : {}
      return { event, data: JSON.stringify({ ...parseObject(written), sequence_number: last + 1 + at, ...own }) }
    })
}
