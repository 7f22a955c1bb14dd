import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { eventually } from '#server/testing/eventually.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

const megabyte = 1024 * 1024
let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 1_000_000_000 })
  await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }))
})
beforeEach(async () => {
  await eventually(
    () => scene.books(),
    ({ holds }) => holds === 0,
  )
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

const limited = { name: 'limited', unlimited_quota: true }

const tokenWith = async (limits: { readonly rpm?: number; readonly parallel?: number }): Promise<string> => {
  const token = await scene.user.call(api.tokens.create, { ...limited, ...limits })
  return `sk-${token.key}`
}

const declared = `Content-Length: ${5 * megabyte}`

/** A request whose body is announced and never comes; its answer is only known where it is refused. */
function announce(key: string, more = declared, path = '/v1/chat/completions', node = scene.app.url) {
  const { hostname, port } = new URL(node)
  const socket = connect(Number(port), hostname)
  const head = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())))
  socket.on('error', () => {})
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n\r\n`)
  return { head, leave: () => socket.destroy() }
}

const longChat = JSON.stringify({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'word '.repeat(400_000) }],
})
const send = (key: string, body: string, headers: Record<string, string> = {}) =>
  scene.post('/v1/chat/completions', null, { body, headers: { authorization: `Bearer ${key}`, ...headers } })
const shortChat = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })

const runningOf = async (tokens: readonly number[]): Promise<number[]> => {
  const { ledger, clock } = scene.app.ctx
  const uses = await Promise.all(tokens.map((id) => ledger.limitUse('token', id, clock())))
  return uses.map(({ running }) => running)
}

/** The first chunk of a body; the line end behind a head is the last of it. */
const chunk = `${(2 * megabyte + 2).toString(16)}\r\n${'x'.repeat(2 * megabyte)}`

describe('before the first byte of a long body', () => {
  test.each([
    ['chat', '/v1/chat/completions', declared],
    ['chat in chunks', '/v1/chat/completions', `Transfer-Encoding: chunked\r\n\r\n${chunk}`],
    ['packed chat', '/v1/chat/completions', 'Content-Encoding: gzip\r\nContent-Length: 4000'],
    ['conversation', '/v1/conversations', declared],
    ['batch', '/v1/messages/batches', declared],
    ['form', '/v1/audio/transcriptions', declared],
  ])('the parallel requests of a token are counted: %s', async (_, path, more) => {
    const { id, key } = await scene.user.call(api.tokens.create, { ...limited, parallel: 1 })
    const first = announce(`sk-${key}`, more, path)
    await eventually(
      () => runningOf([id]),
      (running) => running.join() === '1',
    )
    const second = announce(`sk-${key}`, more, path)
    expect(await second.head).toStartWith('HTTP/1.1 429')
    second.leave()
    first.leave()
    await eventually(
      async () => (await send(`sk-${key}`, shortChat)).status,
      (status) => status === 200,
    )
  })

  test('the requests of a minute are counted, each once', async () => {
    const key = await tokenWith({ rpm: 2 })
    expect((await send(key, longChat)).status).toBe(200)
    expect((await send(key, shortChat)).status).toBe(200)
    expect(await announce(key).head).toStartWith('HTTP/1.1 429')
  })
})

test('long requests one after the other are one parallel request at a time', async () => {
  const key = await tokenWith({ parallel: 1 })
  for (let count = 0; count < 3; count += 1) expect((await send(key, longChat)).status).toBe(200)
})

test('a long body beyond the two of its account waits until one of them is gone, with whichever token', async () => {
  const tokens = await Promise.all([1, 2].map(() => scene.user.call(api.tokens.create, { ...limited, parallel: 5 })))
  const dripping = tokens.map(({ key }) => announce(`sk-${key}`))
  await eventually(
    () => runningOf(tokens.map(({ id }) => id)),
    (running) => running.join() === '1,1',
  )
  const third = send(scene.key, longChat)
  expect(await Promise.race([third, Bun.sleep(500)])).toBeUndefined()
  expect((await scene.chat()).status).toBe(200)
  dripping[0]?.leave()
  expect((await third).status).toBe(200)
  dripping[1]?.leave()
  await eventually(
    () => runningOf(tokens.map(({ id }) => id)),
    (running) => running.join() === '0,0',
  )
})

test.if(onPostgres)(
  'on three nodes the parallel requests are counted together before a long body is read',
  async () => {
    const { DATABASE_URL: databaseUrl } = scene.app.ctx.config
    const others = await Promise.all([1, 2].map(() => startTestApp({ databaseUrl })))
    const { id, key } = await scene.user.call(api.tokens.create, { ...limited, parallel: 2 })
    const chat = '/v1/chat/completions'
    const under = [scene.app, ...others.slice(1)].map(({ url }) => announce(`sk-${key}`, declared, chat, url))
    await eventually(
      () => runningOf([id]),
      (running) => running.join() === '2',
    )
    expect(await announce(`sk-${key}`, declared, chat, others[0]?.url).head).toStartWith('HTTP/1.1 429')
    for (const { leave } of under) leave()
    await eventually(
      () => runningOf([id]),
      (running) => running.join() === '0',
    )
    for (const node of others) await node.stop()
  },
)
