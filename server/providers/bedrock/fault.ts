import type { ChatFault } from '#server/dialects/chat.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { faultOfKind } from '#server/dialects/fault.ts'

const isSkewed = /signature (expired|not yet current)|RequestTimeTooSkewed/i
const isUnknownKey =
  /security token included in the request is (invalid|expired)|signature we calculated does not match|access key id .* does not exist/i

/** AWS says 403 to a key it does not know and to a clock that is off: neither is the client's fault. */
export function awsFault(status: number, body: unknown): ChatFault {
  const fault = faultOfBody(status, body)
  if (status !== 403) return fault
  if (isSkewed.test(fault.message))
    return faultOfKind(
      'internal',
      `The clock of this server is off for AWS, the administrator has to set it: ${fault.message}`,
    )
  return isUnknownKey.test(fault.message) ? faultOfKind('credentials', fault.message) : fault
}
