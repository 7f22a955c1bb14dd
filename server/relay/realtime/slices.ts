import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import { surchargesOf } from '#server/providers/surcharges.ts'
import { enterChannel } from '#server/relay/limits/channel-limits.ts'
import { chargeFor } from '#server/relay/metering/charges.ts'
import { unmeasured } from '#server/relay/metering/measure.ts'
import { refusal } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { newRelayedRequest, type Outcome, type RelayedRequest } from '#server/relay/relayed-request.ts'
import { free, settleLater, settleSurely } from '#server/relay/settlement/settle.ts'
import type { OpenedSession } from './open-session.ts'
import { costUnderWay, sessionCeiling } from './session-hold.ts'
import type { Slice } from './session-meter.ts'

/** The money of a session: paid slice by slice, each under a hold and a row of its own. */
export interface Slices {
  /** Pays what was reported and holds anew. Answers false when there is too little left to go on. */
  pay(slice: Slice, underWay: () => BillableUsage): Promise<boolean>
  /** Holds more when what is under way costs more than is held. Answers false when there is no more. */
  cover(underWay: BillableUsage): Promise<boolean>
  isCovered(underWay: BillableUsage): boolean
  /** Pays what was used and never reported, and gives the rest back. */
  close(outcome: Outcome, rest: BillableUsage | null): Promise<void>
}

export function createSlices(context: RelayContext, session: OpenedSession): Slices {
  const { ctx } = context
  const { request: first, delivery, offer } = session
  let current = first
  let count = 1
  let isPaid = false

  /** A further request of the same caller through the same channel. */
  const next = (): RelayedRequest => {
    count += 1
    const inbound = { ...first.inbound, id: `${first.id}.${count}`, startedAt: ctx.clock() }
    const { caller, ask } = first
    const request = newRelayedRequest({ inbound, caller, ask, measured: unmeasured(ask), trace: null })
    request.tried.push(delivery.channel.id)
    request.candidates = first.candidates
    request.firstByteAt = ctx.clock()
    request.delivery = delivery
    return request
  }
  const party = ({ userId, tokenId, teamId, memberId } = first.caller) => ({ userId, tokenId, teamId, memberId })
  const at = () => Math.floor(ctx.clock() / 1000)

  /** As much as there is of what is wanted. */
  const hold = async (request: RelayedRequest, wanted: number): Promise<number> => {
    const wish = { id: request.holdId, ...party(), least: 0, wanted, at: at(), limits: null }
    try {
      const held = await ctx.ledger.reserve(wish)
      request.reserve = held.ok ? held.held : 0
    } catch (error) {
      // The commit may have happened all the same.
      settleLater(context, request, { outcome: 'failed', consumption: free })
      throw error
    }
    return request.reserve
  }
  const ceiling = (underWay: BillableUsage) =>
    sessionCeiling(delivery, offer.facts, underWay, ctx.options().PreConsumedQuota)

  const renew = async (underWay: BillableUsage): Promise<boolean> => {
    const { least, wanted } = ceiling(underWay)
    current = next()
    const held = await hold(current, wanted).catch((error) => {
      // What is used from now on is not paid by what may be given back.
      current = next()
      throw error
    })
    // A limit of the channel that is reached now does not end what goes on.
    await enterChannel(context, current, delivery.channel)
    return held >= least
  }
  const nothing = { charge: 0, channelId: 0, counts: false, log: null, corrections: [] }
  const giveBack = async (request: RelayedRequest): Promise<void> => {
    try {
      await ctx.ledger.settle({ id: request.holdId, ...party(), ...nothing, at: at(), admittedAt: at() })
    } catch {
      settleLater(context, request, { outcome: 'done', consumption: free })
    }
  }

  /** What was done by another model than the session's. */
  const payOther = async (model: string, consumption: Slice['consumption']): Promise<void> => {
    const price = context.prices().priceOf(model)
    if (!price) return ctx.log.warn('a model without a price was used in a session', { request: first.id, model })
    const request = next()
    request.ask = { ...request.ask, model }
    request.delivery = { ...delivery, price, surcharges: surchargesOf(model) }
    await hold(request, chargeFor(request.delivery, consumption).quota)
    await settleSurely(context, request, { outcome: 'done', consumption })
  }

  return {
    async pay({ model, consumption }, underWay) {
      isPaid = true
      if (model !== null) {
        await payOther(model, consumption)
        return true
      }
      const paid = current
      await settleSurely(context, paid, { outcome: 'done', consumption })
      return renew(underWay())
    },
    isCovered: (underWay) => costUnderWay(delivery, underWay) <= current.reserve,
    async cover(underWay) {
      await giveBack(current)
      return renew(underWay)
    },
    async close(outcome, rest) {
      if (rest) {
        const consumption = { by: 'tokens', usage: rest, counted: true } as const
        if (outcome === 'failed') current.fault = refusal('streamCut')
        return settleSurely(context, current, { outcome, consumption })
      }
      // A session that was paid has its rows already.
      if (isPaid) await giveBack(current)
      else await settleSurely(context, current, { outcome, consumption: free })
    },
  }
}
