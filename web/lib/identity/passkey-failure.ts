import { ownReport, reportFailure } from '#web/lib/failures.ts'
import { isCancelled } from '#web/lib/identity/passkeys.ts'

/** A user who closed the browser's dialog needs no message. */
export const passkeyFailure = {
  meta: ownReport,
  onError: (error: unknown) => {
    if (!isCancelled(error)) reportFailure(error)
  },
} as const
