import type { Limited, LimitRequest } from '#server/billing/limits/limit-check.ts'
import type { Measured } from '#server/relay/metering/offer.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { type GroupLimits, type Limits, widestLimits } from '#shared/limits.ts'

export const hasLimits = ({ rpm, tpm, parallel }: Limits): boolean => rpm > 0 || tpm > 0 || parallel > 0

/** The input and the answer's limit, where it has one. */
export const estimatedTokens = ({ size, ask }: Measured): number => size.tokens + (ask.answerLimit ?? 0) * ask.n

/** What a request of this caller is counted by: the limits of its token, and those of its user by his groups. */
export function limitsOf(
  caller: Caller,
  groupLimits: GroupLimits,
  request: { readonly now: number; readonly tokens: number },
): LimitRequest | null {
  const own = widestLimits(groupLimits, caller.userGroups)
  if (!hasLimits(caller.limits) && !hasLimits(own)) return null
  const of: Limited[] = []
  if (hasLimits(caller.limits)) of.push({ kind: 'token', id: caller.tokenId, ...caller.limits })
  if (hasLimits(own)) of.push({ kind: 'user', id: caller.userId, ...own })
  return { ...request, of }
}
