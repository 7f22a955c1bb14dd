import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { expectCharge } from '#server/testing/expect-charge.ts'
import {
  chatAnswer,
  chatStream,
  deltaFrame,
  doneFrame,
  eventStream,
  finishFrame,
  type SeenRequest,
} from '#server/testing/fake-upstream.ts'
import { type RawUpstream, startRawUpstream } from '#server/testing/raw-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

const headersMs = 1000
const idleMs = 3000

let scene: RelayScene
const upstreams: RawUpstream[] = []
beforeAll(async () => {
  scene = await startRelayScene({
    env: { UPSTREAM_HEADERS_TIMEOUT: String(headersMs / 1000), UPSTREAM_IDLE_TIMEOUT: String(idleMs / 1000) },
  })
})
afterEach(() => scene.clear())
afterAll(async () => {
  for (const upstream of upstreams) upstream.stop()
  await scene.stop()
})

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const bytesOf = async (answer: Response | Promise<Response>) => (await answer).text()

/** Sends the head after one pause and the body in pieces after others. */
async function startSlowUpstream(body: string, type: string, pausesMs: readonly number[]): Promise<RawUpstream> {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
  const length = Math.ceil(body.length / Math.max(1, pausesMs.length - 1))
  const pieces = [head, ...pausesMs.slice(1).map((_, at) => body.slice(at * length, (at + 1) * length))]
  const upstream = startRawUpstream(async (socket) => {
    for (const [at, piece] of pieces.entries()) {
      await Bun.sleep(pausesMs[at] ?? 0)
      socket.write(piece)
    }
  })
  upstreams.push(upstream)
  return upstream
}

describe.each([
  ['a whole answer', false, 'application/json', chatAnswer('hello', usage)],
  ['a stream', true, 'text/event-stream', chatStream(['hello'], usage)],
] as const)('%s', (_, stream, type, good) => {
  const ask = () => scene.chat({ stream, ...(stream ? { stream_options: { include_usage: true } } : {}) })
  const through = async (pausesMs: readonly number[]) => {
    const upstream = await startSlowUpstream(
      await bytesOf(good({ signal: new AbortController().signal } as SeenRequest)),
      type,
      pausesMs,
    )
    await scene.option('RetryTimes', 1)
    await scene.channel(good, { base_url: upstream.url, priority: 9 })
    return scene.channel(good)
  }

  test('whose bytes pause longer than its head may take is waited for', async () => {
    const next = await through([0, 1.5 * headersMs, 1.5 * headersMs, 1.5 * headersMs])
    const bill = await scene.bill(async () => {
      const answer = await ask()
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('hello')
    })
    expectCharge(bill, 10 + 5 * 4)
    expect(next.seen).toHaveLength(0)
  }, 20_000)

  test('whose head does not come in time is asked of the next channel', async () => {
    const next = await through([headersMs + idleMs, 0])
    const bill = await scene.bill(async () => expect(await (await ask()).text()).toContain('hello'))
    expectCharge(bill, 10 + 5 * 4)
    expect(next.seen).toHaveLength(1)
  }, 20_000)

  test('whose first byte is silent for the idle timeout is asked of the next channel', async () => {
    const next = await through([0, 3 * idleMs])
    const bill = await scene.bill(async () => expect(await (await ask()).text()).toContain('hello'))
    expectCharge(bill, 10 + 5 * 4)
    expect(next.seen).toHaveLength(1)
  }, 20_000)
})

describe('a stream that has come to its end', () => {
  test('and goes on may be silent as long as any other, no longer', async () => {
    await scene.channel(eventStream(deltaFrame('one'), finishFrame(), 50, deltaFrame('two'), 60_000))
    const began = performance.now()
    expect(await (await scene.chat({ stream: true })).text()).toContain('upstream_stalled')
    expect(performance.now() - began).toBeLessThan(3 * idleMs)
  }, 20_000)

  test('has ten seconds for its report, whatever else it sends meanwhile', async () => {
    const pings = Array.from({ length: 30 }, () => [500, ': ping\n\n']).flat()
    await scene.channel(eventStream(deltaFrame('one'), finishFrame(), ...pings, doneFrame))
    const began = performance.now()
    expect(await (await scene.chat({ stream: true })).text()).toEndWith(doneFrame)
    expect(performance.now() - began).toBeWithin(9000, 13_000)
  }, 20_000)
})
