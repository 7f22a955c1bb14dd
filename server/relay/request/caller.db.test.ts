import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'
import { tokenStatus } from '#shared/statuses.ts'
import { createCallers } from './caller.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
  await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
})
afterAll(() => scene.stop())

test('a token that changes while it is being read is read again by the next request', async () => {
  const { ctx } = scene.app
  const callers = createCallers(ctx)
  const url = new URL('http://localhost/v1/chat/completions')
  const request = new Request(url, { headers: { authorization: `Bearer ${scene.key}` } })
  const reading = callers.identify({ http: request, url, clientAddress: () => '127.0.0.1' })
  ctx.changes.emit({ topic: 'everything' })
  const { tokenId } = await reading
  await ctx.database.db.updateTable('tokens').set({ status: tokenStatus.disabled }).where('id', '=', tokenId).execute()
  await expect(
    Promise.resolve(callers.identify({ http: request, url, clientAddress: () => '127.0.0.1' })),
  ).rejects.toThrow()
})

test('a node that may have missed news asks the database who is allowed', async () => {
  const { ctx } = scene.app
  const callers = createCallers(ctx)
  const url = new URL('http://localhost/v1/chat/completions')
  const inbound = {
    http: new Request(url, { headers: { authorization: `Bearer ${scene.key}` } }),
    url,
    clientAddress: () => '127.0.0.1',
  }
  const set = (status: number) => ctx.database.db.updateTable('tokens').set({ status }).execute()
  await set(tokenStatus.enabled)
  await callers.identify(inbound)
  await set(tokenStatus.disabled)
  await callers.identify(inbound)
  ctx.changes.renew(0)
  await expect(Promise.resolve(callers.identify(inbound))).rejects.toThrow('disabled')
  ctx.changes.renew(Number.POSITIVE_INFINITY)
})

test('a token that a clock running ahead has expired works again when the clock is right', async () => {
  const scene = await startRelayScene()
  await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }))
  const expires = Math.floor(Date.now() / 1000) + 3600
  await scene.user.call(api.tokens.update, { id: scene.tokenId, name: 'test', expired_time: expires })
  const statusOf = async () => (await scene.user.call(api.tokens.get, { id: scene.tokenId })).status
  expect((await scene.chat()).status).toBe(200)
  scene.app.time.now = Date.now() + 86_400_000
  expect((await scene.chat()).status).toBe(401)
  expect((await scene.chat()).status).toBe(401)
  scene.app.time.now = null
  expect(await statusOf()).toBe(3)
  expect((await scene.chat()).status).toBe(200)
  expect(await statusOf()).toBe(1)
  await scene.stop()
})

test('an imported key that ends like a channel number is not read as a shorter key with a channel', async () => {
  const { ctx } = scene.app
  const key = 'XMbTbzBOmPYGHgL_LTEQbA1hivtlC3tlKX2V7AFY9URrr0hncU548XEf-12'
  const { id } = await ctx.database.db.selectFrom('tokens').select('id').executeTakeFirstOrThrow()
  const stored = { key_hash: ctx.secrets.hash(key), key_sealed: ctx.secrets.seal(key), status: tokenStatus.enabled }
  await ctx.database.db.updateTable('tokens').set(stored).where('id', '=', id).execute()
  const url = new URL('http://localhost/v1/chat/completions')
  const http = new Request(url, { headers: { authorization: `Bearer sk-${key}` } })
  const caller = await createCallers(ctx).identify({ http, url, clientAddress: () => '127.0.0.1' })
  expect(caller).toMatchObject({ tokenId: id, pinnedChannelId: null })
})

test('a key is invalid at once when its token was deleted on another node, and the refusal does not speak of money', async () => {
  const { id, key } = await scene.user.call(api.tokens.create, { name: 'gone', unlimited_quota: true })
  const ask = () => scene.chat({}, { headers: { authorization: `Bearer sk-${key}` } })
  expect((await ask()).status).toBe(200)
  await scene.app.ctx.database.db.deleteFrom('tokens').where('id', '=', id).execute()
  const answer = await ask()
  expect(answer.status).toBe(401)
  expect(await answer.text()).toContain('The API key is not valid')
})
