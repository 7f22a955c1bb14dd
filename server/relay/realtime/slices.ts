import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import { surchargesOf } from '#server/providers/surcharges.ts'
import { countAttempt, tokensUsed } from '#server/relay/limits/channel-limits.ts'
import { chargeFor } from '#server/relay/metering/charges.ts'
import { unmeasured } from '#server/relay/metering/measure.ts'
import { refusal } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { newRelayedRequest, type Outcome, type RelayedRequest } from '#server/relay/relayed-request.ts'
import { free, settleSurely } from '#server/relay/settlement/settle.ts'
import type { OpenedSession } from './open-session.ts'
import { costUnderWay, sessionCeiling } from './session-hold.ts'
import type { Slice } from './session-meter.ts'
import { type Close, createSliceHolds } from './slice-holds.ts'

/** The money of a session: paid slice by slice, each under a hold and a row of its own. */
export interface Slices {
  /** Pays what was reported and holds anew. Returns why it cannot go on. */
  pay(slice: Slice, underWay: () => BillableUsage): Promise<SessionStop | null>
  /** Holds more when what is under way costs more than is held. */
  cover(underWay: BillableUsage): Promise<SessionStop | null>
  isCovered(underWay: BillableUsage): boolean
  /** Pays what was used and never reported, and gives the rest back. */
  close(outcome: Outcome, rest: BillableUsage | null): Promise<void>
}

/** There is too little money for the next answer, or its caller has used up his tokens of the minute. */
type SessionStop = 'sessionSpent' | 'sessionLimited'

export function createSlices(context: RelayContext, session: OpenedSession): Slices {
  const { ctx } = context
  const { request: first, delivery, offer } = session
  let current = first
  let count = 1
  let isPaid = false
  const { hold, renew: renewHold, giveBack, hasLimits } = createSliceHolds(context, first)
  // The tokens count from when they are reported; counted from the beginning they would have left the window of a minute.
  first.counted.caller = []

  /** A further request of the same caller through the same channel. */
  const next = (): RelayedRequest => {
    count += 1
    const inbound = { ...first.inbound, id: `${first.id}.${count}`, startedAt: ctx.clock() }
    const { caller, ask } = first
    const request = newRelayedRequest({ inbound, caller, ask, trace: null }, unmeasured(ask))
    request.tried.push(delivery.channel.id)
    request.candidates = first.candidates
    request.firstByteAt = ctx.clock()
    request.delivery = delivery
    return request
  }
  const ceiling = (underWay: BillableUsage) =>
    sessionCeiling(delivery, offer.facts, underWay, ctx.options().PreConsumedQuota)

  const holdAnew = (wanted: number, tokens: number): Promise<boolean> => {
    current = next()
    return hold(current, wanted, tokens).catch((error) => {
      // A hold that may be given back must not pay for further use.
      current = next()
      throw error
    })
  }
  /** What the hold before gives back pays for what is under way, so nobody else may take it. */
  const renew = async (underWay: BillableUsage, tokens: number, close: Close): Promise<SessionStop | null> => {
    const { least, wanted } = ceiling(underWay)
    const request = next()
    const renewed = await renewHold(request, wanted, tokens, close)
    current = request
    const isUsedUp = renewed ?? (await holdAnew(wanted, tokens))
    // A limit of the channel that is reached now does not end what goes on.
    await countAttempt(context, current, delivery.channel)
    if (current.reserve < least) return 'sessionSpent'
    return isUsedUp ? 'sessionLimited' : null
  }
  /** Counts usage that no hold covers. */
  const countRest = async (tokens: number): Promise<void> => {
    if (!hasLimits()) return
    const request = next()
    await hold(request, 0, tokens)
    await giveBack(request)
  }

  /** What was done by another model than the session's. */
  const payOther = async (model: string, consumption: Slice['consumption']): Promise<void> => {
    const price = context.prices().priceOf(model)
    if (!price) return ctx.log.warn('a model without a price was used in a session', { request: first.id, model })
    const request = next()
    request.ask = { ...request.ask, model }
    request.delivery = { ...delivery, price, surcharges: surchargesOf(model) }
    await hold(request, chargeFor(request.delivery, consumption).quota, tokensUsed(consumption) ?? 0)
    await settleSurely(context, request, { outcome: 'done', consumption })
  }

  return {
    async pay({ model, consumption }, underWay) {
      isPaid = true
      if (model !== null) {
        await payOther(model, consumption)
        return null
      }
      const paid = current
      return await renew(underWay(), tokensUsed(consumption) ?? 0, (commit) =>
        settleSurely(context, paid, { outcome: 'done', consumption }, { commit }),
      )
    },
    isCovered: (underWay) => costUnderWay(delivery, underWay) <= current.reserve,
    async cover(underWay) {
      const before = current
      return await renew(underWay, 0, (commit) => giveBack(before, commit))
    },
    async close(outcome, rest) {
      if (rest) {
        const consumption = { by: 'tokens', usage: rest, counted: true } as const
        if (outcome === 'failed') current.fault = refusal('streamCut')
        await settleSurely(context, current, { outcome, consumption })
        return countRest(tokensUsed(consumption) ?? 0)
      }
      // A session that was paid has its rows already.
      if (isPaid) await giveBack(current)
      else await settleSurely(context, current, { outcome, consumption: free })
    },
  }
}
