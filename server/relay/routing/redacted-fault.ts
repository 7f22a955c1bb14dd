import type { ChatFault } from '#server/dialects/chat.ts'
import { redact } from '#server/lib/log.ts'
import { withoutZeros } from '#server/lib/text/without-zeros.ts'

const faultMax = 300

/** A fault as it is stored and shown, without secrets. */
export const redactedFault = ({ status, message }: ChatFault): string =>
  withoutZeros(redact(`${status}: ${message}`)).slice(0, faultMax)
