import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createLogger } from '#server/lib/log.ts'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer, errorAnswer } from '#server/testing/fake-upstream.ts'
import { startRelayScene } from '#server/testing/relay-scene.ts'
import { createExporter } from './exporter.ts'
import { attributes, nanos, type Span } from './span.ts'
import { readTraceparent, writeTraceparent } from './traceparent.ts'

interface Export {
  readonly resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: Span[] }[] }[]
}

/** Takes traces as a collector does. */
let status = 200
const exports: { path: string; headers: Headers; body: Export }[] = []
const collector = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    exports.push({
      path: new URL(request.url).pathname,
      headers: request.headers,
      body: (await request.json()) as Export,
    })
    return Response.json({}, { status })
  },
})
const endpoint = `http://127.0.0.1:${collector.port}`
afterAll(() => collector.stop(true))

const spans = () =>
  exports.flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
const traceId = '0af7651916cd43dd8448eb211c80319c'
const caller = `00-${traceId}-b7ad6b7169203331-01`

describe('a relayed request', () => {
  let seen: Span[]
  let upstreamSaw: (string | null)[]

  beforeAll(async () => {
    const scene = await startRelayScene({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/`,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      },
    })
    await scene.option('RetryTimes', 2)
    const bad = await scene.channel(errorAnswer(500, { message: 'broken' }), { priority: 1 })
    const good = await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }))
    await scene.chat({}, { headers: { traceparent: caller } })
    await scene.chat({}, { headers: { traceparent: caller.replace(/01$/, '00') } })
    upstreamSaw = [bad, good].flatMap(({ seen }) => seen.map(({ headers }) => headers.get('traceparent')))
    await scene.stop()
    seen = spans()
  })

  test('is a span below that of its caller, with one for every channel tried', () => {
    const root = seen.find(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331')
    expect(root).toMatchObject({ traceId, name: 'chat gpt-4o', kind: 2, status: { code: 0 } })
    expect(root?.attributes).toContainEqual({ key: 'gen_ai.usage.output_tokens', value: { intValue: '10' } })
    expect(root?.attributes).toContainEqual({ key: 'switchyard.outcome', value: { stringValue: 'done' } })
    const attempts = seen.filter(({ parentSpanId }) => parentSpanId === root?.spanId)
    expect(attempts.map(({ status: { code } }) => code)).toEqual([2, 0])
    expect(seen).toHaveLength(3)
  })

  test('hands its place on to the upstream, and nothing when its caller does not want a trace', () => {
    const attempts = seen.filter(({ name }) => name === 'attempt')
    expect(upstreamSaw.filter((header) => header !== null)).toEqual(
      attempts.map(({ spanId }) => `00-${traceId}-${spanId}-01`),
    )
    expect(upstreamSaw.filter((header) => header === null)).toHaveLength(2)
  })

  test('goes to the collector with its headers and the name of the service', () => {
    const [first] = exports
    expect(first?.path).toBe('/v1/traces')
    expect(first?.headers.get('x-team')).toBe('a b')
    const resource = first?.body.resourceSpans[0]?.resource.attributes
    expect(resource).toContainEqual({ key: 'service.name', value: { stringValue: 'switchyard' } })
    expect(resource).toContainEqual({ key: 'deployment.environment.name', value: { stringValue: 'test' } })
  })
})

test('without a collector nothing is traced and upstreams get no trace header', async () => {
  const scene = await startRelayScene()
  const { seen } = await scene.channel(chatAnswer('hello', null))
  await scene.chat({}, { headers: { traceparent: caller } })
  await scene.stop()
  expect(seen[0]?.headers.get('traceparent')).toBe(null)
})

test('what a collector does not take is dropped, and said once', async () => {
  const lines: string[] = []
  const exporter = createExporter(
    { url: endpoint, headers: {}, resource: {} },
    createLogger('warn', (line) => lines.push(line)),
  )
  status = 503
  const before = exports.length
  for (let at = 0; at < 512; at += 1) exporter.add({ spanId: String(at) } as Span)
  await eventually(
    () => lines.length,
    (count) => count === 1,
  )
  status = 200
  exporter.add({ spanId: 'last' } as Span)
  await exporter.stop()
  expect(exports.length - before).toBe(2)
  expect(spans().at(-1)?.spanId).toBe('last')
  expect(lines).toHaveLength(1)
})

test('a traceparent is believed only when it is whole', () => {
  expect(readTraceparent(caller)).toEqual({ traceId, spanId: 'b7ad6b7169203331', sampled: true })
  expect(writeTraceparent(readTraceparent(caller) ?? { traceId: '', spanId: '', sampled: false })).toBe(caller)
  const bad = [
    null,
    '',
    'x',
    caller.toUpperCase(),
    `ff${caller.slice(2)}`,
    `${caller}-more`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
  ]
  for (const header of bad) expect(readTraceparent(header)).toBe(null)
})

test('times and attributes are written the way OTLP wants them', () => {
  expect(nanos(1_700_000_000_123.4)).toBe('1700000000123000000')
  expect(attributes({ a: 'x', b: 1, c: 0.5, d: true, e: undefined })).toEqual([
    { key: 'a', value: { stringValue: 'x' } },
    { key: 'b', value: { intValue: '1' } },
    { key: 'c', value: { doubleValue: 0.5 } },
    { key: 'd', value: { boolValue: true } },
  ])
})
