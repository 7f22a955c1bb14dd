import { ownReport, reportFailure } from '#web/lib/failures.ts'
import { isCancelled } from '#web/lib/identity/passkeys.ts'

/** Whoever closes the browser's window knows that nothing happened. */
export const passkeyFailure = {
  meta: ownReport,
  onError: (error: unknown) => {
    if (!isCancelled(error)) reportFailure(error)
  },
} as const
