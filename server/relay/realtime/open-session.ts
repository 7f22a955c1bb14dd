import { providerOf } from '#server/providers/index.ts'
import { beginAttempt } from '#server/relay/attempts/attempt-through.ts'
import { limitsOf } from '#server/relay/limits/caller-limits.ts'
import { countAttempt } from '#server/relay/limits/channel-limits.ts'
import { refuseForChannels } from '#server/relay/limits/refuse-limit.ts'
import { noExtras } from '#server/relay/metering/asked-extras.ts'
import { unmeasured } from '#server/relay/metering/measure.ts'
import type { Offer } from '#server/relay/metering/offer.ts'
import { type RefusalName, RelayFault, refusal, refuse, withFacts } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type Delivery, newRelayedRequest, type RelayedRequest } from '#server/relay/relayed-request.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { Door } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { plainAsk } from '#server/relay/request/plain-ask.ts'
import { drawFrom, firstAmong } from '#server/relay/routing/decide.ts'
import type { KeyFailure } from '#server/relay/routing/key-pools.ts'
import { type PlannedRoute, planRoute } from '#server/relay/routing/plan-route.ts'
import { asLastResort, conditionsNow, passingOver } from '#server/relay/routing/routing-conditions.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { holdAmount } from '#server/relay/settlement/reserve.ts'
import { faultRecord } from '#server/relay/settlement/route-record.ts'
import { free, settleSurely } from '#server/relay/settlement/settle.ts'
import { takeTurn } from '#server/relay/upstream/key-turn.ts'
import { lookupTools } from '#server/relay/upstream/plain-target.ts'
import { targetOf } from '#server/relay/upstream/send.ts'
import { presentable, vendorFault } from '#server/relay/upstream/vendor-refusal.ts'
import { sessionCeiling } from './session-hold.ts'
import { openVendorSocket, type VendorSocket } from './vendor-socket.ts'

/** A session whose first hold is made and whose vendor has taken it. */
export interface OpenedSession {
  readonly request: RelayedRequest
  readonly delivery: Delivery
  readonly offer: Offer
  readonly vendor: VendorSocket
}

interface SessionOrder {
  readonly door: Door
  readonly model: string
  /** What is added to the vendor's address: a query. */
  query(upstreamModel: string): URLSearchParams
  /** The one channel, and key, that can carry it. */
  readonly holder?: (route: PlannedRoute) => PlannedRoute
}

const nothing = { input: 0, output: 0 }

/** Finds a channel, holds what the first answer may cost and opens the vendor's socket; or refuses, holding nothing. */
export const openSession = (
  context: RelayContext,
  inbound: InboundRequest,
  caller: Caller,
  wish: SessionOrder,
): Promise<OpenedSession> =>
  openHeld(context, inbound, caller, wish).catch((error) => {
    throw withFacts(error, { caller, model: wish.model })
  })

async function openHeld(
  context: RelayContext,
  inbound: InboundRequest,
  caller: Caller,
  wish: SessionOrder,
): Promise<OpenedSession> {
  const { ctx } = context
  if (!ctx.writes.isFresh()) await ctx.writes.require()
  const planned = await planRoute(context, caller, plainAsk(wish.door, wish.model, { stream: true }))
  const route = wish.holder ? wish.holder(planned) : planned
  const { ask, plan } = route
  const request = newRelayedRequest({ inbound, caller, ask, trace: null }, unmeasured(ask))
  const ceilings = plan.candidates.flatMap((channel) => {
    const offer = plan.offerThrough(channel)
    if (!offer) return []
    return sessionCeiling(deliveryThrough(offer, channel), offer.facts, nothing, ctx.options().PreConsumedQuota)
  })
  const most = {
    least: Math.max(0, ...ceilings.map(({ least }) => least)),
    wanted: Math.max(0, ...ceilings.map(({ wanted }) => wanted)),
  }
  const counting = { now: ctx.clock(), tokens: 0 }
  await holdAmount(context, request, most, limitsOf(caller, ctx.options().GroupLimits, counting))
  try {
    return await connected(context, request, route, wish)
  } catch (error) {
    if (error instanceof RelayFault) request.fault = error.fault
    await settleSurely(context, request, { outcome: 'failed', consumption: free })
    throw withFacts(error, { hasRow: true })
  }
}

const deliveryThrough = ({ price, surcharges, group, groupRatio }: Offer, channel: RoutedChannel): Delivery => ({
  channel,
  price,
  surcharges,
  group,
  groupRatio,
  asked: noExtras,
  readToEnd: false,
  leftOut: [],
})

/** Tries one channel after the other until a vendor takes the session. */
async function connected(
  context: RelayContext,
  request: RelayedRequest,
  route: PlannedRoute,
  wish: SessionOrder,
): Promise<OpenedSession> {
  const { ctx } = context
  const tried = new Set<number>()
  const full = new Map<number, NonNullable<Awaited<ReturnType<typeof countAttempt>>>>()
  let last: KeyFailure | null = null
  const tries = request.caller.pinnedChannelId === null ? ctx.options().RetryTimes + 1 : 1
  while (tried.size < tries) {
    const present = passingOver(conditionsNow(context, route.ask.model, null), full)
    const open = firstAmong(route.plan.candidates, present, tried)
    const resting = firstAmong(route.plan.candidates, asLastResort(present), tried)
    const channel = drawFrom(open.length > 0 ? open : resting, Math.random)
    if (!channel) break
    const refused = await countAttempt(context, request, channel)
    if (refused) {
      full.set(channel.id, refused)
      continue
    }
    tried.add(channel.id)
    request.tried.push(channel.id)
    const { offer, begunAt } = beginAttempt(context, request.ask, route.plan, channel)
    const result = await withKeys(context, request, wish, channel)
    if ('vendor' in result) {
      context.health.succeeded(channel, begunAt)
      const delivery = deliveryThrough(offer, result.through)
      request.delivery = delivery
      return { request, delivery, offer, vendor: result.vendor }
    }
    last = result
    context.health.failed(channel, result.fault, result.retryAfter)
  }
  const limited = refuseForChannels(full.values(), route.ask.model)
  if (limited && !last) throw limited
  throw last
    ? new RelayFault(presentable(last.fault), last.retryAfter ?? undefined)
    : refuse('noChannel', { model: route.ask.model, reason: 'no channel is left to try' })
}

type Taken = { readonly vendor: VendorSocket; readonly through: RoutedChannel } | KeyFailure

const unexplained = (name: RefusalName): KeyFailure => ({ fault: refusal(name), retryAfter: null })

/** With the key of a channel, or with those of its pool one after the other while they are to blame. */
async function withKeys(
  context: RelayContext,
  request: RelayedRequest,
  wish: SessionOrder,
  channel: RoutedChannel,
): Promise<Taken> {
  const turn = takeTurn(context, channel)
  let result: Taken = unexplained('upstreamFailed')
  for (let key = turn.next(); key !== null; key = turn.next()) {
    result = await opened(context, request, wish, { ...channel, key })
    if ('vendor' in result) turn.succeeded()
    if ('vendor' in result || channel.keys.length < 2 || !turn.failed(result)) break
  }
  return result
}

async function opened(
  context: RelayContext,
  request: RelayedRequest,
  wish: SessionOrder,
  channel: RoutedChannel,
): Promise<Taken> {
  const { ctx } = context
  const { inbound, ask } = request
  const sentAt = ctx.clock()
  const target = targetOf(ask, channel, inbound)
  const call = await providerOf(channel.type).call(target, '', lookupTools(context, channel, inbound))
  const url = new URL(call.url)
  for (const [name, value] of wish.query(target.model))
    if (!url.searchParams.has(name)) url.searchParams.set(name, value)
  const headers = { ...call.headers, ...channel.headers }
  const timeoutMs = ctx.config.UPSTREAM_CONNECT_TIMEOUT * 1000
  const vendor =
    channel.proxy === '' ? await openVendorSocket(url.href.replace(/^http/, 'ws'), headers, timeoutMs) : null
  const taken: Taken = vendor ? { vendor, through: channel } : await whyNot(context, url.href, headers, channel)
  request.tries.push({
    channel: channel.id,
    duration_ms: Math.max(0, Math.round(ctx.clock() - sentAt)),
    fault: 'fault' in taken ? faultRecord(taken.fault, channel.mapping.get(ask.model)) : null,
  })
  return taken
}

const refusalCodes: ReadonlySet<number> = new Set([401, 403, 404, 429])

/** Sockets do not say why they were refused, and addresses of sockets answer plain requests with 404: the upgrade is asked for again. */
const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.from('a key of 16 byte').toString('base64'),
}

async function whyNot(
  { ctx }: RelayContext,
  url: string,
  headers: Record<string, string>,
  channel: RoutedChannel,
): Promise<KeyFailure> {
  if (channel.proxy !== '') return unexplained('proxyUnusable')
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(5000)])
  try {
    const answer = await ctx.fetch(url, { headers: { ...headers, ...upgrade }, signal, redirect: 'manual' })
    const retryAfter = answer.headers.get('retry-after')
    if (!refusalCodes.has(answer.status)) return { ...unexplained('upstreamFailed'), retryAfter }
    return { fault: await vendorFault(answer, channel.key), retryAfter }
  } catch {
    return unexplained('upstreamFailed')
  } finally {
    // A socket that opened after all is closed.
    over.abort()
  }
}
