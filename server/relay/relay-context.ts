import type { PriceBook } from '#server/billing/pricing/price.ts'
import { priceBookOf } from '#server/billing/pricing/price-book.ts'
import type { Context } from '#server/context.ts'
import { createFetchClient } from '#server/lib/http1/fetch-client.ts'
import { createHttpClient, type HttpClient } from '#server/lib/http1/http-client.ts'
import { createTracer, type Tracer } from '#server/telemetry/tracer.ts'
import { logRequests } from './observers/log-requests.ts'
import type { RelayObserver } from './observers/observer.ts'
import { endTrace } from './observers/trace-requests.ts'
import { type Callers, createCallers } from './request/caller.ts'
import { type Breaker, createBreaker } from './routing/breaker.ts'
import { type ChannelHealth, createChannelHealth, type Notify } from './routing/channel-health.ts'
import { createRouting, type Routing } from './routing/routing-table.ts'
import { createEndings, type Endings } from './settlement/endings.ts'

/** What the relay of one node is made of. */
export interface RelayParts {
  readonly ctx: Context
  readonly callers: Callers
  readonly routing: Routing
  readonly upstream: HttpClient
  readonly breaker: Breaker
  readonly health: ChannelHealth
  readonly prices: () => PriceBook
  readonly observers: RelayObserver[]
  readonly endings: Endings
  /** Error answers by status, those before any money was held included. */
  readonly errors: Map<number, number>
  /** Null unless traces are asked for. */
  readonly tracer: Tracer | null
}

export function createRelayParts(ctx: Context, notify: Notify): RelayParts {
  const breaker = createBreaker()
  const tracer = createTracer(ctx)
  return {
    ctx,
    callers: createCallers(ctx),
    routing: createRouting(ctx),
    upstream: ctx.config.HTTP_PROXY || ctx.config.HTTPS_PROXY ? createFetchClient() : createHttpClient(),
    breaker,
    health: createChannelHealth(ctx, breaker, notify),
    prices: () => priceBookOf(ctx.options()),
    observers: [...(tracer ? [endTrace] : []), ...(ctx.config.LOG_LEVEL === 'debug' ? [logRequests(ctx.log)] : [])],
    endings: createEndings(),
    errors: new Map(),
    tracer,
  }
}
