import { limitsOf } from '#server/relay/limits/caller-limits.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RelayedRequest } from '#server/relay/relayed-request.ts'
import { free, settleLater } from '#server/relay/settlement/settle.ts'

/** The holds of one caller's slices. */
export interface SliceHolds {
  /** Holds as much of the wanted amount as there is. Returns whether the caller has reached its tokens per minute. */
  hold(request: RelayedRequest, wanted: number, used: number): Promise<boolean>
  giveBack(request: RelayedRequest): Promise<void>
  /** Whether any limit counts the tokens. */
  hasLimits(): boolean
}

export function createSliceHolds(context: RelayContext, { caller }: Pick<RelayedRequest, 'caller'>): SliceHolds {
  const { ctx } = context
  const { userId, tokenId, teamId, memberId } = caller
  const party = { userId, tokenId, teamId, memberId }
  const at = () => Math.floor(ctx.clock() / 1000)
  /** A limit does not refuse a session that is running. */
  const counting = (tokens: number) => {
    const limits = limitsOf(caller, ctx.options().GroupLimits, { now: ctx.clock(), tokens })
    return limits && { ...limits, goesOn: true }
  }
  return {
    hasLimits: () => counting(0) !== null,
    async hold(request, wanted, used) {
      const wish = { id: request.holdId, ...party, least: 0, wanted, at: at(), limits: counting(used) }
      try {
        const held = await ctx.ledger.reserve(wish)
        request.reserve = held.ok ? held.held : 0
        return held.ok && used > 0 && held.limits?.tokens?.remaining === 0
      } catch (error) {
        // The commit may have happened although it was reported as failed.
        settleLater(context, request, { outcome: 'failed', consumption: free })
        throw error
      }
    },
    async giveBack(request) {
      const nothing = { charge: 0, channelId: 0, counts: false, log: null, corrections: [] }
      try {
        await ctx.ledger.settle({ id: request.holdId, ...party, ...nothing, at: at(), admittedAt: at() })
      } catch {
        settleLater(context, request, { outcome: 'done', consumption: free })
      }
    },
  }
}
