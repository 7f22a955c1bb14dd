import type { ChatFault } from '#server/dialects/chat.ts'
import type { Frame } from '#server/dialects/dialect.ts'
import { messageWithId } from '#server/dialects/error-body.ts'
import { encodeError } from '#server/dialects/openai-chat/errors.ts'
import { objectOf } from '#server/lib/json.ts'

/** Clients of the responses format read the event's own fields; others look for `error` in it. */
export function encodeStreamError(fault: ChatFault, requestId: string): Frame {
  const { code = null, param = null } = fault
  const message = messageWithId(fault, requestId)
  const event = { type: 'error', code, message, param, ...objectOf(encodeError(fault, requestId)) }
  return { event: 'error', data: JSON.stringify(event) }
}
