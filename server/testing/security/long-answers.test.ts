import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
const megabyte = 1024 * 1024

beforeAll(async () => {
  scene = await startRelayScene()
})
beforeEach(async () => {
  await scene.clear()
  await scene.option('ModelRatio', '{"gpt-4o":1,"tts-1":1,"dall-e-2":1}')
})
afterAll(() => scene.stop())

/** So many megabytes of a body, never held at once. */
function flood(megabytes: number, before = '', after = '', type = 'application/json'): () => Response {
  return () => {
    let left = megabytes
    const piece = Buffer.alloc(megabyte, 'x')
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(before)),
      pull(controller) {
        left -= 1
        controller.enqueue(piece)
        if (left > 0) return
        controller.enqueue(Buffer.from(after))
        controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': type } })
  }
}

const sizeOf = async (answer: Response): Promise<number> => {
  let size = 0
  try {
    for await (const piece of answer.body ?? []) size += piece.length
  } catch {
    return -size
  }
  return size
}

test('an answer read whole is the fault of an upstream that does not end it, and costs nothing', async () => {
  await scene.channel(flood(40, '{"choices":[{"message":{"content":"', '"}}]}'))
  const bill = await scene.bill(async () => expect((await scene.chat()).status).toBe(502))
  expect(bill.user).toBe(0)
})

test('so is one frame of a stream', async () => {
  await scene.channel(flood(40, 'data: {"choices":[{"delta":{"content":"', '"}}]}\n\n', 'text/event-stream'))
  expect((await scene.chat({ stream: true })).status).toBe(502)
})

test('an error that does not end is reported by its status', async () => {
  const long = flood(40, '{"error":{"message":"', '"}}')
  await scene.channel(() => new Response(long().body, { status: 429 }))
  expect((await scene.chat()).status).toBe(429)
})

test('pictures longer than is held pass, and are paid', async () => {
  const after = '"}],"usage":{"input_tokens":10,"output_tokens":20,"total_tokens":30}}'
  await scene.channel(flood(40, '{"created":1,"data":[{"b64_json":"', after), { models: 'dall-e-2' })
  const bill = await scene.bill(async () => {
    const answer = await scene.post('/v1/images/generations', { model: 'dall-e-2', prompt: 'x' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toStartWith('application/json')
    expect(await sizeOf(answer)).toBeGreaterThan(40 * megabyte)
  })
  expect(bill.user).toBeLessThan(0)
})

test('a recording is cut where it has no end', async () => {
  await scene.channel(flood(300, '', '', 'audio/mpeg'), { models: 'tts-1' })
  const answer = await scene.post('/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'x' })
  const size = await sizeOf(answer)
  expect(Math.abs(size)).toBeLessThan(257 * megabyte)
})

test('a balance is asked for once, of the address it was meant for, and briefly', async () => {
  const stranger = await scene.channel(() => Response.json({ hard_limit_usd: 5, total_usage: 100 }))
  const moved = await scene.channel(() => Response.redirect(`${stranger.url}/`, 307))
  expect((await scene.root.raw(api.channels.balance, { id: moved.id })).success).toBe(false)
  expect(stranger.seen).toHaveLength(0)
  const endless = await scene.channel(flood(40, '{"hard_limit_usd":"'))
  expect((await scene.root.raw(api.channels.balance, { id: endless.id })).success).toBe(false)
})
