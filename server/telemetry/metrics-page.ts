import type { Context } from '#server/context.ts'
import { workerLabel } from '#server/process/supervisor.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { createExposition, type Labels } from './exposition.ts'
import { watchLoopLag } from './loop-lag.ts'
import { writeNodeMetrics } from './node-metrics.ts'

export type MetricsPage = (request: Request) => Promise<Response>

const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
const plain = (status: number, text: string, more: Record<string, string> = {}) =>
  new Response(`${text}\n`, { status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', ...more } })

/** `/metrics` for Prometheus. Without a token in the environment there is no such page, and nothing is counted. */
export function createMetricsPage(ctx: Context, context: RelayContext): MetricsPage {
  const { metrics } = context
  if (!metrics) return async () => plain(404, 'not found')
  const lag = watchLoopLag()
  const common: Labels = ctx.config.WORKERS > 1 ? { worker: workerLabel() } : {}
  const expected = ctx.secrets.hash(`Bearer ${ctx.config.METRICS_TOKEN}`)
  return async (request) => {
    // Hashes are compared, so that the time it takes says nothing about the token.
    if (ctx.secrets.hash(request.headers.get('authorization') ?? '') !== expected) {
      return plain(401, 'the bearer token of METRICS_TOKEN is needed', { 'www-authenticate': 'Bearer' })
    }
    const page = createExposition(common)
    metrics.write(page)
    page.counter(
      'switchyard_relay_errors_total',
      'Error answers of the relay by status, refusals included.',
      [...context.errors].map(([status, value]) => ({ labels: { status }, value })),
    )
    await writeNodeMetrics(page, ctx, context.breaker, lag)
    return new Response(page.text(), {
      headers: { ...headers, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    })
  }
}
