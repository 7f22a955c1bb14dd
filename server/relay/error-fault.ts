import { RowsLocked } from '#server/billing/ledger/rows-locked.ts'
import { isDatabaseGone } from '#server/db/database-gone.ts'
import type { ChatFault } from '#server/dialects/chat.ts'
import { BadRequest } from '#server/dialects/dialect.ts'
import { ClientGone } from './client-gone.ts'
import { RelayFault, refusal } from './refusals.ts'

/** No client reads it; metrics and logs distinguish clients that left from failures by it. */
const clientLeft: ChatFault = {
  status: 499,
  type: 'client_error',
  code: 'client_closed_request',
  message: 'The client left.',
}

/** Any error as the fault the client is sent. */
export function errorFault(error: unknown): ChatFault {
  if (error instanceof RelayFault) return error.fault
  if (error instanceof ClientGone) return clientLeft
  if (error instanceof BadRequest)
    return {
      status: 400,
      type: 'invalid_request_error',
      code: 'invalid_request',
      message: error.message,
      ...(error.details ? { details: error.details } : {}),
    }
  if (error instanceof RowsLocked) return refusal('accountLocked')
  if (isDatabaseGone(error)) return refusal('unavailable')
  return refusal('internal')
}
