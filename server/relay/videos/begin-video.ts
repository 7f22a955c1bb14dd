import { chargeRequest, chargeSeconds } from '#server/billing/pricing/charge-each.ts'
import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import type { JsonObject } from '#server/lib/json.ts'
import { providerOf } from '#server/providers/index.ts'
import { beginWork } from '#server/relay/long-work/begin.ts'
import { soldThrough, type WorkKind } from '#server/relay/long-work/work.ts'
import { noExtras } from '#server/relay/metering/asked-extras.ts'
import { RelayFault, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { pickChannel } from '#server/relay/routing/pick-channel.ts'
import { planRoute } from '#server/relay/routing/plan-route.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { keepToHolder } from '#server/relay/state/keep-to-holder.ts'
import type { Holder } from '#server/relay/state/resolve-state.ts'
import { saidIn } from '#server/relay/upstream/vendor-refusal.ts'
import type { VideoFacts } from './video-facts.ts'

/** What decides the price of a video, and what is remembered of it. */
export interface VideoOrder {
  readonly kind: WorkKind
  /** Of all the videos that are asked for. */
  readonly seconds: number
  /** How many those are. */
  readonly samples: number
  /** Where one size of a model has a price of its own: the name it stands under. */
  pricedAs?(upstreamModel: string): string | null
  /** A resolution that costs more than usual, so that it needs a price. */
  readonly fineness?: string
  /** Facts that are shown of it later. */
  readonly facts: JsonObject
  /** Facts by which it is found in the vendor's list when the vendor's answer was lost. */
  readonly asked: VideoFacts['asked']
  /** The channel that must make it, because it keeps what it is made of. */
  readonly holder: Holder | null
}

/** Who asks for a video, and how. */
interface Sender {
  readonly inbound: InboundRequest
  readonly caller: Caller
  readonly ask: Ask
}

/** After this time a video that was not finished is given up. */
const hoursMost = 24

/** Holds the price of all the seconds, has the video begun and remembers whose it is. It is paid when it is done. */
export async function beginVideo(
  context: RelayContext,
  sender: Sender,
  wish: VideoOrder,
  start: (channel: RoutedChannel, ask: Ask) => Promise<JsonObject>,
): ReturnType<typeof beginWork> {
  const { caller, ask } = sender
  const { ctx } = context
  const planned = await planRoute(context, caller, ask)
  const able = planned.plan.candidates.filter(({ type }) => providerOf(type).stored !== undefined)
  if (able.length === 0) throw refuse('unsupported', { model: planned.ask.model })
  const route = keepToHolder(ctx, { ...planned, plan: { ...planned.plan, candidates: able } }, wish.holder)
  const channel = pickChannel(context, route)
  const { model } = route.ask
  const offer = route.plan.offerThrough(channel)
  if (!offer) throw refuse('modelUnpriced', { model })
  const price = dearerSize(context, offer.price, wish.pricedAs?.(offer.model) ?? null)
  if (wish.fineness !== undefined && price === offer.price && price.source === 'list')
    throw refuse('extraUnpriced', { model, extra: `the resolution ${wish.fineness.slice(0, 40)}` })
  const { surcharges, group, groupRatio } = offer
  const { quota: most } = price.perRequest
    ? chargeRequest(price, groupRatio, price.perRequest)
    : chargeSeconds(price, groupRatio, wish)
  const sold = soldThrough(channel, { price, surcharges, asked: noExtras, group, groupRatio })
  const plan = {
    kind: wish.kind,
    channel,
    parts: [{ model, most, sold }],
    more: { seconds: wish.seconds, samples: wish.samples, shown: { ...wish.facts, model }, asked: wish.asked },
    hoursMost,
  }
  let failure: RelayFault | null = null
  const begun = beginWork(context, sender, plan, async (through) => {
    const begunAt = ctx.clock()
    context.breaker.begin(channel.id, begunAt)
    failure = null
    const made = await start(through, route.ask).catch((error) => {
      failure = error instanceof RelayFault ? error : null
      throw error
    })
    context.health.succeeded(channel, begunAt)
    return made
  })
  // Only what the last key of a pool was answered is said of its channel.
  return begun.catch((error) => {
    if (failure) context.health.failed(channel, saidIn(failure), null)
    throw error
  })
}

/** A size with a list price of its own; what an administrator set for the model counts for all of its sizes. */
function dearerSize({ prices }: RelayContext, price: ModelPrice, name: string | null): ModelPrice {
  return name === null || price.source !== 'list' ? price : (prices().priceOf(name) ?? price)
}
