import { consoleFiles } from '#server/console-files.ts'
import type { Context } from '#server/context.ts'
import type { AssetSource } from '#server/http/assets.ts'
import { clientAddress } from '#server/http/client-address.ts'
import { createConsole } from '#server/http/console.ts'
import { failureResponse } from '#server/http/errors.ts'
import { healthz, readyz, stopping } from '#server/http/health.ts'
import type { Serve } from '#server/http/listen.ts'
import { createPlaces } from '#server/http/place.ts'
import { createRateLimiter } from '#server/http/rate-limit.ts'
import { createWeb } from '#server/http/web.ts'
import type { Job } from '#server/jobs/job.ts'
import { notifyRoot } from '#server/mail/notify-root.ts'
import { createApiDocs } from '#server/openapi/serve.ts'
import { channelTestRoutes } from '#server/relay/channel-tests/channel-tests.routes.ts'
import { recoverChannels } from '#server/relay/channel-tests/recover-channels.ts'
import { longWorkJob, lostWorkJob } from '#server/relay/long-work/long-work.jobs.ts'
import { createRelayDoor } from '#server/relay/relay.routes.ts'
import { createRelayContext } from '#server/relay/relay-context.ts'
import { relayPath } from '#server/relay/request/address.ts'
import { routingConsoleRoutes } from '#server/relay/routing-console/routing-console.routes.ts'
import { endAbandonedJob, forgetState } from '#server/relay/stored/state.jobs.ts'
import { workKinds } from '#server/relay/work-kinds.ts'
import { consoleRoutes } from '#server/routes.ts'
import { createMetricsPage } from '#server/telemetry/metrics-page.ts'
import { AppError } from '#shared/errors.ts'

export interface App {
  readonly fetch: Serve
  /** Jobs that work through the relay. */
  readonly jobs: readonly Job[]
  /** The node is going to stop: it is not ready any more, and sessions over sockets, which would last as long as their clients stay, end. */
  leave(): void
  /**
   * Waits for background responses and open settlements as long as this, and at least as long as a settlement may take; then
   * closes the connections to upstreams and sends the last traces.
   */
  stop(timeoutMs?: number): Promise<void>
}

/** How long a stopping node waits at least for the settlement of requests whose clients have left. */
const settlingMs = 10_000

/** Sends each request to the relay, the console API, the documentation, the probes or the console's files, by its path. */
export function createApp(ctx: Context, assets: AssetSource = consoleFiles()): App {
  const limiter = createRateLimiter(ctx)
  const context = createRelayContext(ctx, (notice) => void notifyRoot(ctx, notice))
  const metrics = createMetricsPage(ctx, context)
  const relay = createRelayDoor(context)
  const consoleApi = createConsole(ctx, limiter, [
    ...consoleRoutes,
    ...channelTestRoutes(context),
    ...routingConsoleRoutes(context),
  ])
  const docs = createApiDocs(ctx)
  const web = createWeb(ctx, limiter, assets)
  const placeOf = createPlaces(relayPath)
  let isLeaving = false
  return {
    jobs: [
      recoverChannels(context),
      endAbandonedJob,
      forgetState,
      longWorkJob(context, workKinds),
      lostWorkJob(context, workKinds),
    ],
    leave() {
      isLeaving = true
      for (const leave of context.sessions) leave()
    },
    async stop(timeoutMs = 0) {
      await context.pendingSettlements.done(Math.max(timeoutMs, settlingMs))
      await context.refusedRequests.stop()
      context.upstream.close()
      await context.tracer?.stop()
    },
    fetch(request, connection) {
      // Without a valid host there is no URL to route by.
      const place = isAmbiguous(request) ? null : placeOf(request.url)
      if (!place) return failureResponse(new AppError('request.bad_host'))
      const { url, path } = place
      if (hasBody(request)) connection.bodyArrives()
      else connection.answering()
      const address = () => clientAddress(request, connection.peer(), ctx.config.TRUST_PROXY)
      if (place.isRelay || path.startsWith(otherRelays)) return relay(request, url, address, connection)
      if (path === '/api/openapi.json') return docs.document()
      if (path === '/api' || path.startsWith('/api/')) return consoleApi(request, url, address(), connection)
      if (path === '/healthz') return healthz()
      if (path === '/readyz') return isLeaving ? stopping() : readyz(ctx)
      if (path === '/metrics') return metrics(request)
      if (path === '/docs/api' || path === '/docs/api/') return docs.page()
      // Pages are only read. Any other method is a client with a wrong base address: the relay answers with the right one.
      return isReading(request) ? web(request, url, address()) : relay(request, url, address, connection)
    },
  }
}

/** Where other relays have their API; the console has no routes there. */
const otherRelays = '/api/v1/'

/** Several hosts, or one given twice, come as a list; whoever stands in front may have read another of them. */
const isAmbiguous = ({ headers }: Request): boolean => headers.get('host')?.includes(',') ?? false

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'
const hasBody = ({ method }: Request): boolean => method === 'POST' || method === 'PUT'
