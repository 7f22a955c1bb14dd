import type { RefusedByLimit } from '#server/billing/ledger/ledger.ts'
import type { LimitRefused, LimitsLeft } from '#server/billing/limits/limit-check.ts'
import { type LimitState, retryAfterSeconds } from '#server/billing/limits/limit-window.ts'
import type { ClientDialect } from '#server/dialects/dialect.ts'
import { RelayFault, refusal } from '#server/relay/refusals.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { LimitName } from '#shared/limits.ts'
import { limitHeaders } from './limit-headers.ts'

const units: Readonly<Record<LimitName, string>> = {
  rpm: 'requests a minute (rpm)',
  tpm: 'tokens a minute (tpm)',
  parallel: 'requests at one time (parallel)',
}

const params = ({ limit, value, waitMs }: LimitRefused) => ({
  value,
  unit: units[limit],
  seconds: retryAfterSeconds(waitMs),
})

/** The headers of a refusal: nothing is left of the limit, until the time the caller has to wait. */
function usedUp({ by, left }: RefusedByLimit): LimitsLeft {
  const state = (known: LimitState | null): LimitState => ({
    limit: known?.limit ?? by.value,
    remaining: 0,
    resetMs: by.waitMs,
  })
  return by.limit === 'tpm' ? { ...left, tokens: state(left.tokens) } : { ...left, requests: state(left.requests) }
}

/** The caller has reached a limit of its token or its user. */
export function refuseForLimit(
  limited: RefusedByLimit,
  caller: Caller,
  dialect: ClientDialect,
  now: number,
): RelayFault {
  const { by } = limited
  const whose = by.kind === 'token' ? `token "${caller.tokenName}"` : `user ${caller.username}`
  const fault = refusal('rateLimited', { whose, ...params(by) })
  return new RelayFault(
    fault,
    String(retryAfterSeconds(by.waitMs)),
    limitHeaders(usedUp(limited), dialect, { seen: now, now }),
    { name: 'rateLimited' },
  )
}

/** Only channels at their limits are left: the one that is free first says how long to wait. */
export function refuseForChannels(waiting: Iterable<LimitRefused>, model: string): RelayFault | null {
  let soonest: LimitRefused | null = null
  for (const one of waiting) if (!soonest || one.waitMs < soonest.waitMs) soonest = one
  if (!soonest) return null
  const fault = refusal('rateLimited', { whose: `channels of the model ${model}`, ...params(soonest) })
  return new RelayFault(fault, String(retryAfterSeconds(soonest.waitMs)))
}
