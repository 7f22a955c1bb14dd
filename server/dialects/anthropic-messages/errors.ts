import type { ChatFault } from '#server/dialects/chat.ts'
import type { Frame, Json } from '#server/dialects/dialect.ts'
import { isTooLong } from '#server/dialects/fault.ts'
import { inAnthropicWords } from '#server/dialects/too-long.ts'

const typeOfStatus: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

export function encodeError(fault: ChatFault, requestId: string): Json {
  const type = typeOfStatus[fault.status] ?? (fault.status >= 500 ? 'api_error' : 'invalid_request_error')
  const details = fault.details === undefined ? {} : { details: fault.details as Json }
  const message = isTooLong(fault) ? inAnthropicWords(fault.message) : fault.message
  return {
    type: 'error',
    error: { type, message, ...details },
    ...(requestId ? { request_id: requestId } : {}),
  }
}

export const encodeStreamError = (fault: ChatFault, requestId: string): Frame[] => [
  { event: 'error', data: JSON.stringify(encodeError(fault, requestId)) },
]
