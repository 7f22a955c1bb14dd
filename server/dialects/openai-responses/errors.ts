import type { ChatFault } from '#server/dialects/chat.ts'
import type { Frame } from '#server/dialects/dialect.ts'
import { messageWithId } from '#server/dialects/error-body.ts'
import { encodeError } from '#server/dialects/openai-chat/errors.ts'
import { objectOf } from '#server/lib/json.ts'

/**
 * OpenAI tells of a failure twice, and clients listen to one of the two: SDKs to `error` (its own fields, or `error` in it),
 * agents to the response that failed.
 */
export function encodeStreamError(fault: ChatFault, requestId: string): Frame[] {
  const { code = null, param = null } = fault
  const message = messageWithId(fault, requestId)
  const event = { type: 'error', code, message, param, ...objectOf(encodeError(fault, requestId)) }
  const error = { code: code ?? 'server_error', message }
  const response = { id: `resp_${requestId}`, object: 'response', status: 'failed', error, output: [] }
  return [
    { event: 'error', data: JSON.stringify(event) },
    { event: 'response.failed', data: JSON.stringify({ type: 'response.failed', response }) },
  ]
}
