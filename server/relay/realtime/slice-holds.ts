import type { HoldRequest, HoldResult, Ledger } from '#server/billing/ledger/ledger.ts'
import { limitsOf } from '#server/relay/limits/caller-limits.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RelayedRequest } from '#server/relay/relayed-request.ts'
import { free, settleLater } from '#server/relay/settlement/settle.ts'

/** Closes a hold by this commit, or in the end by another when it fails; never throws. */
export type Close = (commit: Ledger['settle']) => Promise<void>

/** The holds of one caller's slices. */
export interface SliceHolds {
  /** Holds as much of the wanted amount as there is. Returns whether the caller has reached its tokens per minute. */
  hold(request: RelayedRequest, wanted: number, used: number): Promise<boolean>
  /** The same in one commit with what closes the hold before. Null when that was closed by itself: then nothing is held. */
  renew(request: RelayedRequest, wanted: number, used: number, close: Close): Promise<boolean | null>
  giveBack(request: RelayedRequest, commit?: Ledger['settle']): Promise<void>
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
  const wish = ({ holdId: id }: RelayedRequest, wanted: number, used: number): HoldRequest => ({
    id,
    ...party,
    least: 0,
    wanted,
    at: at(),
    limits: counting(used),
  })
  /** Takes over what was held. Returns whether the tokens of the minute are used up. */
  const take = (request: RelayedRequest, held: HoldResult, used: number): boolean => {
    request.reserve = held.ok ? held.held : 0
    return held.ok && used > 0 && held.limits?.tokens?.remaining === 0
  }
  /** The commit may have happened although it was reported as failed. */
  const closing = (request: RelayedRequest) => (error: unknown) => {
    settleLater(context, request, { outcome: 'failed', consumption: free })
    throw error
  }
  return {
    hasLimits: () => counting(0) !== null,
    async hold(request, wanted, used) {
      const reserving = async () => ctx.ledger.reserve(wish(request, wanted, used))
      return take(request, await reserving().catch(closing(request)), used)
    },
    async renew(request, wanted, used, close) {
      const held: HoldResult[] = []
      let isFirst = true
      await close(async (settlement) => {
        if (!isFirst) return ctx.ledger.settle(settlement)
        isFirst = false
        const renewed = await ctx.ledger.renew(settlement, wish(request, wanted, used)).catch(closing(request))
        held.push(renewed.held)
        return renewed.settled
      })
      return held[0] ? take(request, held[0], used) : null
    },
    async giveBack(request, commit = ctx.ledger.settle) {
      const nothing = { charge: 0, channelId: 0, counts: false, log: null, corrections: [] }
      try {
        await commit({ id: request.holdId, ...party, ...nothing, at: at(), admittedAt: at() })
      } catch {
        settleLater(context, request, { outcome: 'done', consumption: free })
      }
    },
  }
}
