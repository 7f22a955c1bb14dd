import type { ChatFault } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { messageWithId } from '#server/dialects/error-body.ts'

const wordOfStatus: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

export function encodeError(fault: ChatFault, requestId: string): Json {
  const status = wordOfStatus[fault.status] ?? (fault.status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT')
  return { error: { code: fault.status, message: messageWithId(fault, requestId), status } }
}
