import type { ChatFault, ChatRequest } from '#server/dialects/chat.ts'
import type { Frame } from '#server/dialects/dialect.ts'
import { messageWithId } from '#server/dialects/error-body.ts'
import { encodeError } from '#server/dialects/openai-chat/errors.ts'
import { objectOf, parseObject } from '#server/lib/json.ts'
import { createStreamEncoder } from './response-encode.ts'

const nothing: ChatRequest = { model: '', messages: [], stream: true, includeUsage: true }

/**
 * OpenAI reports a failure twice, and clients read one of the two: SDKs the event `error` (its own fields, or `error` in it),
 * agents the response that failed.
 */
export function encodeStreamError(fault: ChatFault, requestId: string): Frame[] {
  const encoder = createStreamEncoder(nothing)
  encoder.push({ type: 'start', id: requestId })
  const frames = encoder.push({ type: 'fault', fault: { ...fault, message: messageWithId(fault, requestId) } })
  return frames.flatMap((frame) => {
    if (frame.event === 'response.failed') return [frame]
    if (frame.event !== 'error') return []
    const event = { ...parseObject(frame.data), ...objectOf(encodeError(fault, requestId)) }
    return [{ event: 'error', data: JSON.stringify(event) }]
  })
}
