import type { RelayObserver, Settled } from '#server/relay/observers/observer.ts'
import type { Outcome } from '#server/relay/relayed-request.ts'
import { type Exposition, type Histogram, newHistogram, observe, type Sample } from './exposition.ts'

const durationBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const firstByteBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const outcomes: readonly Outcome[] = ['done', 'cut', 'failed']

/** What is counted for one model through one channel. */
interface Series {
  readonly model: string
  readonly channel: number
  readonly requests: Record<Outcome, number>
  readonly duration: Histogram
  readonly firstByte: Histogram
  input: number
  output: number
  cached: number
  quota: number
}

const newSeries = (model: string, channel: number): Series => ({
  model,
  channel,
  requests: { done: 0, cut: 0, failed: 0 },
  duration: newHistogram(durationBounds),
  firstByte: newHistogram(firstByteBounds),
  input: 0,
  output: 0,
  cached: 0,
  quota: 0,
})

const other = 'other'
/** Clients choose model names and operators channels; what is kept about them is bounded. */
const seriesMax = 2000

export interface RelayMetrics {
  readonly observe: RelayObserver
  write(page: Exposition): void
}

export function createRelayMetrics(): RelayMetrics {
  const channels = new Map<number, Map<string, Series>>()
  let size = 0
  const seriesOf = (channel: number, model: string): Series => {
    const models = channels.get(channel) ?? new Map<string, Series>()
    if (models.size === 0) channels.set(channel, models)
    const known = models.get(model)
    if (known) return known
    if (size >= seriesMax && model !== other) return seriesOf(channel, other)
    size += 1
    const made = newSeries(model, channel)
    models.set(model, made)
    return made
  }
  const all = () => [...channels.values()].flatMap((models) => [...models.values()])
  return {
    observe(settled) {
      const { request } = settled
      const channel = request.delivery?.channel.id ?? request.tried.at(-1) ?? 0
      count(seriesOf(channel, modelOf(settled)), settled)
    },
    write: (page) => write(page, all()),
  }
}

/** The name asked for, when a channel carries it; an administrator may send any name to a channel of his choice. */
function modelOf({ request: { ask, caller, delivery } }: Settled): string {
  if (caller.pinnedChannelId === null) return ask.model
  return delivery?.channel.models?.has(ask.model) ? ask.model : other
}

function count(series: Series, { request, outcome, usage, result, durationMs }: Settled): void {
  series.requests[outcome] += 1
  observe(series.duration, durationMs / 1000)
  if (request.firstByteAt > 0) observe(series.firstByte, (request.firstByteAt - request.startedAt) / 1000)
  series.quota += result.paid
  if (!usage) return
  series.input += usage.input
  series.output += usage.output
  series.cached += (usage.cacheRead ?? 0) + (usage.audioCacheRead ?? 0)
}

function write(page: Exposition, all: readonly Series[]): void {
  const labels = ({ model, channel }: Series) => ({ model, channel })
  page.counter(
    'switchyard_requests_total',
    'Relayed requests by how they ended.',
    all.flatMap((series) =>
      outcomes.map((outcome) => ({ labels: { ...labels(series), outcome }, value: series.requests[outcome] })),
    ),
  )
  page.histogram(
    'switchyard_request_duration_seconds',
    'From the request to the end of its answer.',
    all.map((series) => ({ labels: labels(series), of: series.duration })),
  )
  page.histogram(
    'switchyard_first_byte_seconds',
    'From the request to the first byte of its answer.',
    all.map((series) => ({ labels: labels(series), of: series.firstByte })),
  )
  page.counter('switchyard_tokens_total', 'Tokens billed; cached ones are part of the input.', all.flatMap(tokens))
  page.counter(
    'switchyard_quota_total',
    'Quota charged.',
    all.map((series) => ({ labels: labels(series), value: series.quota })),
  )
}

const tokens = ({ model, channel, input, output, cached }: Series): Sample[] => [
  { labels: { model, channel, kind: 'input' }, value: input },
  { labels: { model, channel, kind: 'output' }, value: output },
  { labels: { model, channel, kind: 'cached' }, value: cached },
]
