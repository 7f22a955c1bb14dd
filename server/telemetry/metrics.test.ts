import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { chatAnswer, chatStream, errorAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { createExposition, newHistogram, observe } from './exposition.ts'

const token = 'for-the-metrics'
let scene: RelayScene

beforeAll(async () => {
  scene = await startRelayScene({ env: { METRICS_TOKEN: token } })
})
afterAll(() => scene.stop())

const fetchPage = (authorization: string) =>
  scene.app.client().fetch('/metrics', { headers: authorization === '' ? {} : { authorization } })

/** Samples of the page by their whole name, labels included. */
async function samples(): Promise<Map<string, number>> {
  const text = await (await fetchPage(`Bearer ${token}`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

describe('the page', () => {
  test('is for whoever knows the token', async () => {
    expect((await fetchPage('')).status).toBe(401)
    expect((await fetchPage('Bearer no')).status).toBe(401)
    const page = await fetchPage(`Bearer ${token}`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  })

  test('is not there when no token is set', async () => {
    const app = await startTestApp()
    expect((await app.client().fetch('/metrics')).status).toBe(404)
    await app.stop()
  })

  test('shows the state of the node', async () => {
    const seen = await samples()
    for (const name of [
      'process_resident_memory_bytes',
      'process_start_time_seconds',
      'switchyard_database_up',
      `switchyard_info{version="${scene.app.ctx.version}"}`,
    ]) {
      expect(seen.get(name)).toBeGreaterThan(0)
    }
    expect(seen.get('switchyard_ledger_queue')).toBe(0)
    expect(seen.get('switchyard_holds')).toBe(0)
    expect(seen.has('switchyard_event_loop_lag_seconds')).toBe(true)
  })
})

describe('relayed requests', () => {
  test('are counted by model, channel and outcome, with their tokens and their quota', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 2 } }
    const good = await scene.channel([
      chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }),
      chatStream(['a', 'b'], usage),
    ])
    await scene.chat()
    await (await scene.chat({ stream: true })).text()
    const { userUsed } = await scene.books()
    const seen = await samples()
    const of = `model="gpt-4o",channel="${good.id}"`
    expect(seen.get(`switchyard_requests_total{${of},outcome="done"}`)).toBe(2)
    expect(seen.get(`switchyard_requests_total{${of},outcome="failed"}`)).toBe(0)
    expect(seen.get(`switchyard_tokens_total{${of},kind="input"}`)).toBe(10)
    expect(seen.get(`switchyard_tokens_total{${of},kind="output"}`)).toBe(20)
    expect(seen.get(`switchyard_tokens_total{${of},kind="cached"}`)).toBe(2)
    expect(seen.get(`switchyard_quota_total{${of}}`)).toBe(userUsed)
    expect(seen.get(`switchyard_request_duration_seconds_bucket{${of},le="+Inf"}`)).toBe(2)
    expect(seen.get(`switchyard_first_byte_seconds_count{${of}}`)).toBe(2)
    await scene.clear()
  })

  test('that fail show with the channel that failed and the state of its breaker', async () => {
    const bad = await scene.channel(errorAnswer(500, { message: 'broken' }))
    for (let at = 0; at < 5; at += 1) await scene.chat()
    const seen = await samples()
    expect(seen.get(`switchyard_requests_total{model="gpt-4o",channel="${bad.id}",outcome="failed"}`)).toBe(5)
    expect(seen.get(`switchyard_breaker_open{channel="${bad.id}",state="resting"}`)).toBe(1)
    expect(seen.get('switchyard_relay_errors_total{status="500"}')).toBe(5)
    await scene.clear()
  })

  test('for models nobody carries leave nothing but an error behind', async () => {
    const before = (await samples()).size
    for (const model of ['made-up-1', 'made-up-2', 'made-up-3']) await scene.chat({ model })
    const after = await samples()
    expect([...after.keys()].filter((name) => name.includes('made-up'))).toEqual([])
    expect(after.size - before).toBe(1)
  })
})

test('every metric the dashboard asks for is on the page', async () => {
  const dashboard = await Bun.file(join(import.meta.dirname, '../../deploy/grafana-dashboard.json')).text()
  const asked = new Set(dashboard.match(/(switchyard|process)_\w+(?=[{,)])/g))
  const page = await (await fetchPage(`Bearer ${token}`)).text()
  const missing = [...asked].filter((name) => !page.includes(`# TYPE ${name.replace(/_bucket$/, '')} `))
  expect(asked.size).toBeGreaterThan(10)
  expect(missing).toEqual([])
})

describe('the text format', () => {
  test('escapes labels and adds up buckets', () => {
    const histogram = newHistogram([1, 2])
    for (const value of [0.5, 1, 1.5, 9]) observe(histogram, value)
    const page = createExposition({ worker: 1 })
    page.gauge('g', 'A gauge.', [{ labels: { name: 'a "b"\n\\c' }, value: 3 }])
    page.histogram('h', 'A histogram.', [{ of: histogram }])
    expect(page.text().split('\n')).toEqual([
      '# HELP g A gauge.',
      '# TYPE g gauge',
      'g{worker="1",name="a \\"b\\"\\n\\\\c"} 3',
      '# HELP h A histogram.',
      '# TYPE h histogram',
      'h_bucket{worker="1",le="1"} 2',
      'h_bucket{worker="1",le="2"} 3',
      'h_bucket{worker="1",le="+Inf"} 4',
      'h_sum{worker="1"} 12',
      'h_count{worker="1"} 4',
      '',
    ])
  })
})
