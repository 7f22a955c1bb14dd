import { decimal } from '#server/billing/pricing/decimal.ts'
import { requestPrice } from '#server/billing/pricing/model-price.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { surchargesOf } from '#server/providers/surcharges.ts'
import { ClientGone } from '#server/relay/client-gone.ts'
import { openHeaders, requestIdHeaders, routeHeaders } from '#server/relay/delivery/answer-headers.ts'
import { watchedStream } from '#server/relay/delivery/watched-stream.ts'
import { limitsOf } from '#server/relay/limits/caller-limits.ts'
import { countAttempt } from '#server/relay/limits/channel-limits.ts'
import { limitHeadersOf } from '#server/relay/limits/limit-headers.ts'
import { refuseForChannels } from '#server/relay/limits/refuse-limit.ts'
import { noExtras } from '#server/relay/metering/asked-extras.ts'
import { unmeasured } from '#server/relay/metering/measure.ts'
import { refusal, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { newRelayedRequest, type Outcome, type RelayedRequest } from '#server/relay/relayed-request.ts'
import { readSentBytes } from '#server/relay/request/body.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { Door } from '#server/relay/request/doors.ts'
import { type InboundRequest, wantsSocket } from '#server/relay/request/inbound-request.ts'
import { plainAsk } from '#server/relay/request/plain-ask.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { admitBody, countBody } from '#server/relay/settlement/admit-body.ts'
import { holdAmount } from '#server/relay/settlement/reserve.ts'
import { free, settleSurely } from '#server/relay/settlement/settle.ts'
import { askVendorAsIs, type Passed } from './ask-vendor-as-is.ts'
import { headersForClient } from './passed-headers.ts'
import { refusedAnswer } from './refused-answer.ts'
import { vendorChannel } from './vendor-channel.ts'

const passagePath = /^\/pass\/([^/]+)(\/.*)?$/

export const isPassage = (url: URL): boolean => passagePath.test(url.pathname)

const door: Door = { operation: 'passage', dialect: openaiChat, payload: 'json' }

/** Stands for the model in log rows and roll-ups, because the body is not read. */
const modelName = 'passage'

/** Any call of a vendor's own, byte for byte, with the channel's credential in the place of the caller's key. */
export async function passToVendor(context: RelayContext, inbound: InboundRequest): Promise<Response> {
  const { ctx } = context
  const caller = await context.callers.identify(inbound)
  if (!caller.isAdmin) throw refuse('passageForbidden')
  if (!ctx.options().PassthroughEnabled) throw refuse('passageOff')
  if (wantsSocket(inbound)) throw refuse('passageSocket')
  if (caller.models) throw refuse('passageModels', { token: caller.tokenName })
  const [, which = '', path = '/'] = passagePath.exec(inbound.url.pathname) ?? []
  const channel = await vendorChannel(context, caller, which)
  await (ctx.options().PassthroughPrice > 0 ? admitBody : countBody)(context, inbound, caller)
  const body = await readSentBytes(inbound)
  if (!ctx.writes.isFresh()) await ctx.writes.require()
  const note = `${inbound.http.method} ${path.slice(0, 200)}`
  const request = await admitted(context, { inbound, caller }, channel, note)
  try {
    const full = await countAttempt(context, request, channel)
    if (full) throw refuseForChannels([full], modelName) ?? refuse('unavailable')
    return await answered(context, request, { channel, path, body })
  } catch (error) {
    const outcome = error instanceof ClientGone ? 'cut' : 'failed'
    if (!request.closed) await settleSurely(context, request, { outcome, consumption: free })
    throw error
  }
}

/** The price of one request is held, and counted by the caller's limits. */
async function admitted(
  context: RelayContext,
  { inbound, caller }: { readonly inbound: InboundRequest; readonly caller: Caller },
  channel: RoutedChannel,
  note: string,
): Promise<RelayedRequest> {
  const { PassthroughPrice: price, GroupLimits } = context.ctx.options()
  const ask = plainAsk(door, modelName, { note })
  const request = newRelayedRequest({ inbound, caller, ask, trace: null }, unmeasured(ask))
  const limits = limitsOf(caller, GroupLimits, { now: context.ctx.clock(), tokens: 0 })
  await holdAmount(context, request, { least: price, wanted: price }, limits)
  request.tried.push(channel.id)
  request.delivery = {
    channel,
    price: { ...requestPrice(modelName, 0), perRequest: decimal(price) },
    surcharges: surchargesOf(modelName),
    asked: noExtras,
    readToEnd: false,
    group: caller.groups[0] ?? '',
    groupRatio: 1,
    leftOut: [],
  }
  return request
}

/** A client that leaves after the request was sent pays as one that waits; what the vendor refused costs nothing. */
async function answered(context: RelayContext, request: RelayedRequest, passed: Passed): Promise<Response> {
  const { ctx, pendingSettlements } = context
  const { inbound } = request
  const { channel } = passed
  const stop = new AbortController()
  const leave = () => stop.abort()
  inbound.http.signal.addEventListener('abort', leave, { once: true })
  const settled = async (outcome: Outcome, isPaid: boolean) => {
    request.closed = true
    const work = settleSurely(context, request, { outcome, consumption: isPaid ? { by: 'call' } : free })
    pendingSettlements.add(work)
    await work
  }
  const said = await askVendorAsIs(context, inbound, passed, stop.signal).catch(async (cause) => {
    const hasLeft = inbound.http.signal.aborted
    request.fault = hasLeft ? null : refusal('upstreamFailed')
    await settled(hasLeft ? 'cut' : 'failed', hasLeft)
    if (hasLeft) throw new ClientGone()
    ctx.log.info('a vendor could not be asked', { channel: channel.id, cause })
    throw refuse('upstreamFailed')
  })
  request.firstByteAt = ctx.clock()
  const isGood = said.status < 400
  const answer = isGood ? said : refusedAnswer(said, channel.key)
  if (!isGood) request.fault = { ...refusal('upstreamFailed'), message: `The vendor answered ${answer.status}.` }
  const headers = {
    ...headersForClient(answer.headers, channel.key),
    ...requestIdHeaders(request.id),
    ...openHeaders,
    ...routeHeaders(request),
    ...limitHeadersOf(request, ctx.clock()),
  }
  const head = { status: answer.status, headers }
  const end = async (outcome: Outcome) => settled(isGood || outcome !== 'done' ? outcome : 'failed', isGood)
  if (!answer.body) {
    await end('done')
    return new Response(null, head)
  }
  request.closed = true
  inbound.connection.streams()
  const stream = watchedStream(answer.body, inbound.http.signal, {
    sourceMs: ctx.config.UPSTREAM_IDLE_TIMEOUT * 1000,
    readerMs: ctx.config.CLIENT_IDLE_TIMEOUT * 1000,
    abort: leave,
    async ended(outcome) {
      await end(outcome)
      inbound.connection.streamed()
    },
  })
  return new Response(stream, head)
}
