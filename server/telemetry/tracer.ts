import type { Context } from '#server/context.ts'
import { randomHex } from '#server/lib/random.ts'
import type { Config } from '#server/process/config.ts'
import { createExporter, type Destination } from './exporter.ts'
import { attributes, nanos, type Span, spanKind, spanStatus } from './span.ts'
import { readTraceparent, type TracePosition, writeTraceparent } from './traceparent.ts'

type Facts = Parameters<typeof attributes>[0]

/** A request being traced, with a span for each channel it is tried on. */
export interface RequestTrace {
  attempt(facts: Facts, at: number): AttemptTrace
  end(name: string, facts: Facts, at: number, error?: string): void
}

export interface AttemptTrace {
  /** For the upstream, so that its spans hang below ours. */
  readonly traceparent: string
  end(at: number, error?: string): void
}

export interface Tracer {
  /** Null when the trace is not to be recorded. */
  begin(headers: Headers, at: number): RequestTrace | null
  stop(): Promise<void>
}

/** OpenTelemetry traces as the standard environment variables say; null without an address to send them to. */
export function createTracer({
  config,
  version,
  log,
  fetch: send,
}: Pick<Context, 'config' | 'version' | 'log' | 'fetch'>): Tracer | null {
  const url = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || withPath(config.OTEL_EXPORTER_OTLP_ENDPOINT)
  if (url === '' || config.OTEL_SDK_DISABLED) return null
  const exporter = createExporter(destination(config, url, version), log, send)
  const share = config.OTEL_TRACES_SAMPLER_ARG
  return {
    begin(headers, at) {
      const parent = readTraceparent(headers.get('traceparent'))
      const sampled = parent ? parent.sampled : Math.random() < share
      return sampled ? traceRequest(parent, at, exporter.add) : null
    },
    stop: exporter.stop,
  }
}

const withPath = (endpoint: string): string => (endpoint === '' ? '' : `${endpoint}/v1/traces`)

const destination = (config: Config, url: string, version: string): Destination => ({
  url,
  headers: config.OTEL_EXPORTER_OTLP_HEADERS,
  resource: {
    'service.version': version,
    ...config.OTEL_RESOURCE_ATTRIBUTES,
    'service.name': config.OTEL_SERVICE_NAME,
  },
})

function traceRequest(parent: TracePosition | null, startedAt: number, add: (span: Span) => void): RequestTrace {
  const place: TracePosition = { traceId: parent?.traceId ?? randomHex(32), spanId: randomHex(16), sampled: true }
  return {
    attempt(facts, at) {
      const own: TracePosition = { ...place, spanId: randomHex(16) }
      return {
        traceparent: writeTraceparent(own),
        end: (until, error) =>
          add(spanOf(own, place, { name: 'attempt', kind: spanKind.client, from: at, until, facts, error })),
      }
    },
    end: (name, facts, until, error) =>
      add(spanOf(place, parent, { name, kind: spanKind.server, from: startedAt, until, facts, error })),
  }
}

interface SpanFacts {
  readonly name: string
  readonly kind: number
  readonly from: number
  readonly until: number
  readonly facts: Facts
  readonly error: string | undefined
}

const spanOf = ({ traceId, spanId }: TracePosition, parent: TracePosition | null, span: SpanFacts): Span => ({
  traceId,
  spanId,
  ...(parent ? { parentSpanId: parent.spanId } : {}),
  name: span.name,
  kind: span.kind,
  startTimeUnixNano: nanos(span.from),
  endTimeUnixNano: nanos(Math.max(span.from, span.until)),
  attributes: attributes({ ...span.facts, 'error.type': span.error }),
  status: { code: span.error === undefined ? spanStatus.unset : spanStatus.error },
})
