import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { chatAnswer, chatStream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { createSilentStart, hasLongBlankStart, silentBytesMax } from './silent-start.ts'

const usage = { prompt_tokens: 5, completion_tokens: 10 }

describe('before the first content', () => {
  let scene: RelayScene
  beforeAll(async () => {
    scene = await startRelayScene()
  })
  afterEach(() => scene.clear())
  afterAll(() => scene.stop())

  const silent = (bytes: number) => `${': wait\n\n'.repeat(Math.ceil(bytes / 8))}`
  const sse = { headers: { 'content-type': 'text/event-stream' } }

  test('an upstream that says nothing for longer than a megabyte is passed over for the next channel', async () => {
    await scene.option('RetryTimes', 1)
    const empty = await scene.channel(() => new Response(silent(3 * silentBytesMax), sse), { priority: 9 })
    const good = await scene.channel(chatStream(['hel', 'lo'], usage))
    const bill = await scene.bill(async () => {
      const answer = await scene.chat({ stream: true })
      expect(answer.status).toBe(200)
      expect(await answer.text()).not.toContain(': wait')
    })
    expect(bill.rows[0]).toMatchObject({ channel: good.id, tried: `${empty.id},${good.id}` })
  })

  test('nothing is charged where no other channel is left', async () => {
    await scene.channel(() => new Response(silent(3 * silentBytesMax), sse))
    await scene.channel(() => new Response(`${' '.repeat(2 * silentBytesMax)}{}`))
    const bill = await scene.bill(async () => {
      expect((await scene.chat({ stream: true })).status).toBe(502)
    })
    expect(bill).toMatchObject({ user: 0, token: 0, holds: 0, rows: [{ quota: 0, outcome: 'failed' }] })
  })

  test('a plain answer behind as many blanks is another fault of its channel', async () => {
    await scene.option('RetryTimes', 1)
    const body = JSON.stringify({ choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }], usage })
    await scene.channel(() => new Response(' '.repeat(2 * silentBytesMax) + body), { priority: 9 })
    const good = await scene.channel(chatAnswer('hello', usage))
    const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(200))
    expect(bill.rows[0]?.channel).toBe(good.id)
  })
})

describe('a line that has begun', () => {
  const line = (length: number) => Buffer.alloc(length, 'x')

  test('may be content of any length', () => {
    const start = createSilentStart()
    for (const _ of start.pieces(Buffer.concat([Buffer.from('\n'), line(5 * silentBytesMax)])))
      expect(start.isTooLong()).toBe(false)
  })

  test('is silence when it has ended behind the limit, and nobody has seen content', () => {
    const start = createSilentStart()
    const read = [...start.pieces(Buffer.concat([line(silentBytesMax), Buffer.from('\n')]))]
    expect(read.map(({ length }) => length)).toEqual([silentBytesMax, 1])
    expect(start.isTooLong()).toBe(true)
  })
})

test('a whole answer may begin with a megabyte of blanks', () => {
  const blanks = Buffer.alloc(silentBytesMax, ' ')
  expect(hasLongBlankStart(Buffer.concat([blanks, Buffer.from('{}')]))).toBe(false)
  expect(hasLongBlankStart(Buffer.concat([blanks, Buffer.from('\n{}')]))).toBe(true)
})
