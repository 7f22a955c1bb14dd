import type { PriceBook } from '#server/billing/pricing/price.ts'
import { priceBookOf } from '#server/billing/pricing/price-book.ts'
import type { Context } from '#server/context.ts'
import { createFetchClient } from '#server/lib/http1/fetch-client.ts'
import { createHttpClient, type HttpClient } from '#server/lib/http1/http-client.ts'
import type { UnorderedList } from '#server/lib/unordered-list.ts'
import { type ApiFindings, createApiFindings } from '#server/relay/routing/api/api-findings.ts'
import { type ChannelLatencies, createChannelLatencies } from '#server/relay/routing/channel-latencies.ts'
import { createRelayMetrics, type RelayMetrics } from '#server/telemetry/relay-metrics.ts'
import { createTracer, type Tracer } from '#server/telemetry/tracer.ts'
import { createFullChannels, type FullChannels } from './limits/full-channels.ts'
import { createRefusedModels, type RefusedModels } from './observers/count-refused.ts'
import type { RelayObserver } from './observers/observer.ts'
import { createObservers } from './observers/observers.ts'
import { createRefusedRequests, type RefusedRequests } from './observers/refused-requests.ts'
import type { RelayedRequest } from './relayed-request.ts'
import { type BodyPlaces, createBodyPlaces } from './request/body-places.ts'
import { type Callers, createCallers } from './request/caller.ts'
import { type Breaker, createBreaker } from './routing/breaker.ts'
import { type ChannelHealth, createChannelHealth, type Notify } from './routing/channel-health.ts'
import { type Conversations, createConversations } from './routing/conversations.ts'
import { createKeyPools, type KeyPools } from './routing/key-pools.ts'
import { createRouting, type Routing } from './routing/routing-table.ts'
import { createPendingSettlements, type PendingSettlements } from './settlement/pending-settlements.ts'

/** What the relay of one node is made of. */
export interface RelayContext {
  readonly ctx: Context
  readonly callers: Callers
  readonly routing: Routing
  readonly upstream: HttpClient
  readonly breaker: Breaker
  readonly health: ChannelHealth
  readonly keys: KeyPools
  readonly latencies: ChannelLatencies
  readonly conversations: Conversations
  readonly apiFindings: ApiFindings
  readonly prices: () => PriceBook
  readonly fullChannels: FullChannels
  readonly observers: readonly RelayObserver[]
  readonly refusedModels: RefusedModels
  readonly refusedRequests: RefusedRequests
  readonly pendingSettlements: PendingSettlements
  readonly bodies: BodyPlaces
  /** Requests that run on this node, for the log page. */
  readonly running: UnorderedList<RelayedRequest>
  /** Several of them do: then they go on in step. */
  isBusy(): boolean
  /** Functions that ask the sessions over sockets on this node to end. */
  readonly sessions: Set<() => void>
  /** Error answers by status, including those sent before any money was held. */
  readonly errors: Map<number, number>
  /** Null unless `/metrics` is served. */
  readonly metrics: RelayMetrics | null
  /** Null unless traces are configured. */
  readonly tracer: Tracer | null
}

export function createRelayContext(ctx: Context, notify: Notify): RelayContext {
  const breaker = createBreaker()
  const keys = createKeyPools(ctx)
  const tracer = createTracer(ctx)
  const running: UnorderedList<RelayedRequest> = []
  const metrics = ctx.config.METRICS_TOKEN === '' ? null : createRelayMetrics()
  return {
    ctx,
    callers: createCallers(ctx),
    routing: createRouting(ctx),
    upstream: upstreamClient(ctx.config),
    breaker,
    health: createChannelHealth(ctx, { breaker, keys }, notify),
    keys,
    latencies: createChannelLatencies(),
    conversations: createConversations(),
    apiFindings: createApiFindings(),
    prices: () => priceBookOf(ctx.options()),
    fullChannels: createFullChannels(),
    observers: createObservers(ctx, { tracer, metrics }),
    refusedModels: createRefusedModels(ctx),
    refusedRequests: createRefusedRequests(ctx),
    pendingSettlements: createPendingSettlements(),
    bodies: createBodyPlaces(),
    running,
    isBusy: () => running.length > 1,
    sessions: new Set(),
    errors: new Map(),
    metrics,
    tracer,
  }
}

/** Only the runtime's own client can connect through a proxy. */
const upstreamClient = (config: Context['config']): HttpClient =>
  config.UPSTREAM_CLIENT === 'fetch' || config.HTTP_PROXY || config.HTTPS_PROXY
    ? createFetchClient()
    : createHttpClient(config.UPSTREAM_CONNECT_TIMEOUT * 1000)
