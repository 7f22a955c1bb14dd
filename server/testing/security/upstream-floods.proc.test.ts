import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { mainThreadMs } from '#server/testing/main-thread-time.ts'
import { peakMegabytes, resetPeak } from '#server/testing/peak-memory.ts'
import { type SpawnedPerson, type SpawnedScene, startSpawnedScene } from '#server/testing/spawned-scene.ts'

const megabyte = 1024 * 1024

const frame = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o', choices: [{ index: 0, delta, ...more }] })}\n\n`
const usage = { prompt_tokens: 5, completion_tokens: 10, total_tokens: 15 }
const whole = {
  ...{ id: 'x', object: 'chat.completion', created: 1, model: 'gpt-4o', usage },
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
}
const begin = frame({ role: 'assistant', content: 'hel' })
const end = `${frame({ content: 'lo' })}${frame({}, { finish_reason: 'stop' })}data: ${JSON.stringify({ ...whole, choices: [] })}\n\ndata: [DONE]\n\n`
const emptyFrames = 'data: {}\n\n'.repeat(600_000)

/** Of five tokens read and ten written, which cost four times as much. */
const price = 45

/** What the upstream says to a prompt of this name, and whether it is packed. */
const sayings: Readonly<
  Record<string, { readonly text: string; readonly packed?: boolean; readonly trailers?: boolean }>
> = {
  'blank lines': { text: '\n'.repeat(50 * megabyte) + begin + end, packed: true },
  comments: { text: ': nothing\n\n'.repeat(5_000_000) + begin + end, packed: true },
  'empty frames': { text: emptyFrames + begin + end },
  'blank lines in the middle': { text: `${begin}${'\n'.repeat(20 * megabyte)}${end}`, packed: true },
  'comments in the middle': { text: `${begin}${': nothing\n\n'.repeat(2_000_000)}${end}`, packed: true },
  'empty frames in the middle': { text: begin + emptyFrames + end },
  'comments of a megabyte': { text: `${': wait for\n\n'.repeat(Math.floor(megabyte / 12))}${begin}${end}` },
  'comments of more': { text: `${': wait for\n\n'.repeat(Math.floor(megabyte / 12) + 1000)}${begin}${end}` },
  'a plain answer behind blanks': { text: ' '.repeat(30 * megabyte) + JSON.stringify(whole), packed: true },
  'a plain answer behind some blanks': { text: ' '.repeat(1000_000) + JSON.stringify(whole), packed: true },
  'a plain answer with trailers': { text: JSON.stringify(whole), trailers: true },
  nothing: { text: JSON.stringify(whole) },
}
const bodies = new Map(
  Object.entries(sayings).map(([name, { text, packed }]) => [name, packed ? gzipSync(text) : Buffer.from(text)]),
)
const asStream = (name: string): boolean => !name.startsWith('a plain') && name !== 'nothing'

/** An upstream below HTTP, which says to each prompt what belongs to it. */
function startFloodingUpstream() {
  const listener = Bun.listen<{ left: Buffer; trailers: boolean }>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { left: Buffer.alloc(0), trailers: false }
      },
      data(socket, bytes) {
        const name = Object.keys(sayings).find((known) => bytes.includes(`"say ${known}"`))
        if (name === undefined) return
        const body = bodies.get(name) ?? Buffer.alloc(0)
        const { packed, trailers = false } = sayings[name] ?? {}
        const head = [
          'HTTP/1.1 200 OK',
          `content-type: ${asStream(name) ? 'text/event-stream' : 'application/json'}`,
          'transfer-encoding: chunked',
          ...(packed ? ['content-encoding: gzip'] : []),
        ].join('\r\n')
        const close = trailers ? '0\r\n' : '0\r\n\r\n'
        const framed = [`${head}\r\n\r\n${body.length.toString(16)}\r\n`, body, `\r\n${close}`]
        socket.data = { left: Buffer.concat(framed.map((part) => Buffer.from(part))), trailers }
        write(socket)
      },
      drain: (socket) => write(socket),
    },
  })
  const trailer = Buffer.from('x-more: of it\r\n'.repeat(10_000))
  const write = (socket: Bun.Socket<{ left: Buffer; trailers: boolean }>) => {
    for (;;) {
      const written = socket.write(socket.data.left)
      if (written < 0) return
      socket.data.left = socket.data.left.subarray(written)
      if (socket.data.left.length > 0 || !socket.data.trailers) return
      socket.data.left = trailer
    }
  }
  return { url: `http://127.0.0.1:${listener.port}`, stop: async () => listener.stop(true) }
}

const bodyOf = (name: string): string =>
  JSON.stringify({
    model: 'gpt-4o',
    max_tokens: 100,
    stream: asStream(name),
    stream_options: asStream(name) ? { include_usage: true } : undefined,
    messages: [{ role: 'user', content: `say ${name}` }],
  })

describe.each(['own', 'fetch'])('with the %s client of upstreams', (client) => {
  let scene: SpawnedScene
  let person: SpawnedPerson
  let other: SpawnedPerson
  beforeAll(async () => {
    scene = await startSpawnedScene(startFloodingUpstream(), { UPSTREAM_CLIENT: client })
    person = await scene.person('person', 1_000_000)
    other = await scene.person('other', 1_000_000)
    await wait()
  })
  afterAll(() => scene.stop())

  /** How long the node works, on whatever it is, while somebody else waits for a short answer, in milliseconds. */
  const wait = async (): Promise<number> => {
    const { pid } = scene.server
    const began = mainThreadMs(pid)
    expect((await scene.chat(other.key, bodyOf('nothing'))).status).toBe(200)
    return mainThreadMs(pid) - began
  }

  /** What comes of a prompt, what it cost, what the node took for it and by how much longer another caller waited. */
  async function ask(name: string) {
    const { pid } = scene.server
    let calm = 0
    for (let count = 0; count < 10; count += 1) calm = Math.max(calm, await wait())
    resetPeak(pid)
    const before = await person.balance()
    let isOver = false
    const asked = scene
      .chat(person.key, bodyOf(name))
      .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
      .finally(() => {
        isOver = true
      })
    let waited = 0
    while (!isOver) waited = Math.max(waited, await wait())
    const { status, text } = await asked
    const cost = before - (await person.balance())
    return { status, text, cost, waitedMore: waited - calm, peak: peakMegabytes(pid) }
  }

  test.each([
    'blank lines',
    'comments',
    'empty frames',
    'comments of more',
    'a plain answer behind blanks',
    ...(client === 'own' ? ['a plain answer with trailers'] : []),
  ])('%s before the first content are a fault of the channel, and nobody waits for them', async (name) => {
    const { status, cost, waitedMore, peak } = await ask(name)
    expect([status, cost]).toEqual([502, 0])
    expect(waitedMore).toBeLessThan(250)
    expect(peak).toBeLessThan(500)
  })

  test.each(['blank lines in the middle', 'comments in the middle', 'empty frames in the middle'])(
    '%s pass while others go on',
    async (name) => {
      const { status, text, cost, waitedMore, peak } = await ask(name)
      expect([status, cost]).toEqual([200, price])
      expect(text).toBe(sayings[name]?.text ?? '')
      expect(waitedMore).toBeLessThan(250)
      expect(peak).toBeLessThan(500)
    },
  )

  test.each(['comments of a megabyte', 'a plain answer behind some blanks'])(
    '%s before the first content pass unchanged',
    async (name) => {
      const { status, text, cost } = await ask(name)
      expect([status, cost]).toEqual([200, price])
      expect(text).toBe(sayings[name]?.text ?? '')
    },
  )
})
