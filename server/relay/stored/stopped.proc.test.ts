import { expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { openDatabase } from '#server/db/database.ts'
import { chatAnswer, startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { spawnServer } from '#server/testing/spawned-server.ts'
import { createClient } from '#server/testing/test-app.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'

/** Longer than what was cut gets to be paid, shorter than what runs gets to end. */
const slowMs = 13_000

test('on SIGTERM a response made in the background is finished, kept and paid before the node goes with 0', async () => {
  const reached = Promise.withResolvers<void>()
  const answer = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
  const vendor = startFakeUpstream(async (request) => {
    reached.resolve()
    await Bun.sleep(slowMs)
    return answer(request)
  })
  const DATABASE_URL = await freshDatabaseUrl()
  const server = await spawnServer({ DATABASE_URL, SECRET_KEY: 'a secret key for tests' })
  const root = createClient(server.url)
  await root.call(api.auth.login, { username: 'root', password: '123456' })
  await root.call(api.channels.create, { name: 'c', type: 8, key: 'k', models: 'gpt-4o', base_url: vendor.url })
  const { key } = await root.call(api.tokens.create, { name: 't', unlimited_quota: true })
  const body = JSON.stringify({ model: 'gpt-4o', input: 'hi', background: true })
  await fetch(`${server.url}/v1/responses`, { method: 'POST', headers: { authorization: `Bearer sk-${key}` }, body })
  await reached.promise
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)

  const database = openDatabase(DATABASE_URL)
  const { db } = database
  expect(await db.selectFrom('relay_state').select('id').where('status', '=', 'in_progress').execute()).toEqual([])
  // $2.50 and $10 a million: 10 × 1.25 + 5 × 5 = 37.5.
  expect(await db.selectFrom('logs').select('quota').where('type', '=', 2).execute()).toEqual([{ quota: 38 }])
  expect(await reconcile(db)).toEqual([])
  await database.close()
  await vendor.stop()
}, 120_000)
