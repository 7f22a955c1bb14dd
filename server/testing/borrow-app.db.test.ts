import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { api } from '#shared/api/all.ts'
import { borrowApp } from './borrow-app.ts'
import { startFakeUpstream } from './fake-upstream.ts'
import { insertScene } from './scene-rows.ts'
import { setOptions } from './set-options.ts'
import { readTables } from './tables.ts'
import { startTestApp, type TestApp } from './test-app.ts'
import { onPostgres } from './test-database.ts'

const chat = (app: TestApp, key: string) =>
  fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'x-session-id': 'one conversation' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
  })

const answer = () =>
  Response.json({
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })

const channel = (name: string, url: string, more = {}) => ({
  name,
  type: 1,
  key: `key-of-${name}`,
  models: 'gpt-4o',
  base_url: url,
  ...more,
})

/** Uses what a node remembers: callers, limits, faults of channels, sessions, options, the time. */
async function useUp(app: TestApp) {
  const { key, userId, tokenId } = await insertScene(app.ctx, { quota: 1_000_000, tokenQuota: 1_000_000 })
  const root = await app.root()
  await setOptions(app, {
    RetryTimes: '0',
    ModelRatio: '{"gpt-4o": 1}',
    SystemName: 'Somebody else',
    TimeZone: 'Asia/Tokyo',
  })
  await root.call(api.tokens.create, { name: 'limited', remain_quota: 1000, rpm: 1 })
  const failing = startFakeUpstream(() => Response.json({ error: { message: 'broken' } }, { status: 500 }))
  await root.call(api.channels.create, channel('failing', failing.url))
  for (let at = 0; at < 8; at += 1) await chat(app, key)
  const answering = startFakeUpstream(answer)
  await root.call(api.channels.create, channel('limited', answering.url, { rpm: 1, priority: 10 }))
  const status = await chat(app, key).then((answer) => answer.status)
  await chat(app, key)
  app.time.now = Date.now() + 3600_000
  await Promise.all([failing.stop(), answering.stop()])
  return { key, userId, tokenId, cookie: root.cookie, status }
}

describe('a borrowed app', () => {
  let fresh: TestApp
  let before: TestApp
  let used: Awaited<ReturnType<typeof useUp>>
  let app: TestApp

  beforeAll(async () => {
    fresh = await startTestApp()
    before = await borrowApp()
    used = await useUp(before)
    await before.stop()
    app = await borrowApp()
  })
  afterAll(async () => {
    await app.stop()
    await fresh.stop()
  })

  test('was used by the test before, on PostgreSQL with the same database', () => {
    expect(used.status).toBe(200)
    expect(app.ctx.config.DATABASE_URL === before.ctx.config.DATABASE_URL).toBe(onPostgres)
  })

  test('has in its tables what a new one has', async () => {
    expect(await readTables(app.ctx.database)).toEqual(await readTables(fresh.ctx.database))
  })

  test('has the options and the time of a new one', () => {
    expect(app.ctx.options()).toEqual(fresh.ctx.options())
    expect(app.time.now).toBeNull()
    expect(Math.abs(app.ctx.clock() - Date.now())).toBeLessThan(60_000)
  })

  test('knows neither the keys nor the sessions of before', async () => {
    expect((await chat(app, used.key)).status).toBe(401)
    const { status } = await app.client({ cookie: used.cookie }).raw(api.account.self, {})
    expect(status).toBe(401)
  })

  test('numbers rows from the beginning, holds nothing, and lets channels of old numbers answer', async () => {
    expect(app.ctx.ledger.heldInMemory()).toBe(0)
    const { key, userId, tokenId } = await insertScene(app.ctx, { quota: 1_000_000, tokenQuota: 1_000_000 })
    expect({ userId, tokenId }).toEqual({ userId: used.userId, tokenId: used.tokenId })
    await setOptions(app, { RetryTimes: '0', ModelRatio: '{"gpt-4o": 1}' })
    const root = await app.root()
    const upstream = startFakeUpstream(answer)
    await root.call(api.channels.create, channel('first', upstream.url))
    const { list } = await root.call(api.channels.list, {})
    expect(list.map(({ id, name }) => ({ id, name }))).toEqual([{ id: 1, name: 'first' }])
    expect((await chat(app, key)).status).toBe(200)
    await upstream.stop()
  })
})

test('whoever borrows while it is lent gets a database of their own', async () => {
  const one = await borrowApp()
  const other = await borrowApp()
  expect(other.ctx.config.DATABASE_URL).not.toBe(one.ctx.config.DATABASE_URL)
  await other.stop()
  await one.stop()
  await one.stop()
})
