import { expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { openDatabase } from '#server/db/database.ts'
import { sweepHolds } from '#server/jobs/sweep-holds.ts'
import { startFakeUpstream } from '#server/testing/fake-upstream.ts'
import { spawnServer } from '#server/testing/spawned-server.ts'
import { createClient, startTestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'
import { api } from '#shared/api/all.ts'
import { endAbandoned } from './state.jobs.ts'

const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
}

/** Leases run out without the twenty seconds it takes. */
async function endLeases(url: string): Promise<void> {
  const database = openDatabase(url)
  await database.db.updateTable('nodes').set({ lease_until: 0 }).execute()
  await database.close()
}

test('kill -9 in the middle of background, stored and counted questions: nothing drifts, and each has its answer', async () => {
  let isSlow = false
  const vendor = startFakeUpstream(({ path, body }) => {
    if (path !== '/v1/chat/completions') return new Response('', { status: 404 })
    if (!isSlow) return Response.json(answer)
    if (!body.stream) return new Promise<Response>(() => {})
    const first = `data: ${JSON.stringify({ ...answer, choices: [{ index: 0, delta: { content: 'he' } }], usage: undefined })}\n\n`
    const stream = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(first)) })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  })
  const env = {
    DATABASE_URL: await freshDatabaseUrl(),
    SECRET_KEY: 'a secret key for tests',
  }
  const first = await spawnServer(env)
  const root = createClient(first.url)
  await root.call(api.auth.login, { username: 'root', password: '123456' })
  const channel = { name: 'c', type: 8, key: 'k', models: 'gpt-4o', base_url: vendor.url }
  await root.call(api.channels.create, channel)
  const { key } = await root.call(api.tokens.create, { name: 't', unlimited_quota: true })
  const ask = (url: string, path: string, body?: object) =>
    fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer sk-${key}` },
      ...(body ? { body: JSON.stringify({ model: 'gpt-4o', max_output_tokens: 20, ...body }) } : {}),
    })
  const said = await (await ask(first.url, '/v1/responses', { input: 'my name is Ann' })).json()

  isSlow = true
  const background = await (await ask(first.url, '/v1/responses', { input: 'hi', background: true })).json()
  expect(background).toMatchObject({ status: 'queued' })
  const streamed = await ask(first.url, '/v1/responses', { input: 'hi', stream: true })
  const opening = new TextDecoder().decode((await streamed.body?.getReader().read())?.value)
  const cutId = /"id":"(resp_[^"]+)"/.exec(opening)?.[1] ?? ''
  await ask(first.url, '/v1/messages/count_tokens', { messages: [{ role: 'user', content: 'hi' }] })
  first.kill('SIGKILL')
  await first.exited
  await endLeases(env.DATABASE_URL)

  isSlow = false
  const second = await startTestApp({ databaseUrl: env.DATABASE_URL })
  await endAbandoned(second.ctx)
  await sweepHolds(second.ctx)
  const ended = await (await ask(second.url, `/v1/responses/${background.id}`)).json()
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
  expect((await ask(second.url, `/v1/responses/${cutId}`)).status).toBe(404)
  // What was kept before is still there, and gone on with.
  const next = await ask(second.url, '/v1/responses', { input: 'who am I?', previous_response_id: said.id })
  expect(next.status).toBe(200)
  expect(vendor.seen.at(-1)?.body.messages).toHaveLength(3)

  await second.ctx.ledger.drain()
  const { db } = second.ctx.database
  expect(await db.selectFrom('holds').selectAll().execute()).toEqual([])
  expect(await reconcile(db)).toEqual([])
  const rows = await db.selectFrom('logs').select('quota').where('type', '=', 2).where('quota', '>', 0).execute()
  // $2.50 and $10 a million: 10 × 1.25 + 5 × 5 = 37.5, twice and nothing else.
  expect(rows).toEqual([{ quota: 38 }, { quota: 38 }])
  await second.stop()
  await vendor.stop()
})

test('kill -9 while answers of the background are being paid: what is charged is done, and what failed costs nothing', async () => {
  const count = 24
  let asked = 0
  const vendor = startFakeUpstream(async ({ path }) => {
    if (path !== '/v1/chat/completions') return new Response('', { status: 404 })
    asked += 1
    // Answered one after the other, so that the end meets some of them in every state.
    await Bun.sleep(asked * 10)
    return Response.json(answer)
  })
  const env = { DATABASE_URL: await freshDatabaseUrl(), SECRET_KEY: 'a secret key for tests' }
  const first = await spawnServer(env)
  const root = createClient(first.url)
  await root.call(api.auth.login, { username: 'root', password: '123456' })
  await root.call(api.channels.create, { name: 'c', type: 8, key: 'k', models: 'gpt-4o', base_url: vendor.url })
  const { key } = await root.call(api.tokens.create, { name: 't', unlimited_quota: true })
  const headers = { authorization: `Bearer sk-${key}` }
  const body = JSON.stringify({ model: 'gpt-4o', max_output_tokens: 20, input: 'hi', background: true })
  const ids = await Promise.all(
    Array.from({ length: count }, async () => {
      const queued = await fetch(`${first.url}/v1/responses`, { method: 'POST', headers, body })
      return ((await queued.json()) as { id: string }).id
    }),
  )
  first.kill('SIGKILL')
  await first.exited
  await endLeases(env.DATABASE_URL)

  const second = await startTestApp({ databaseUrl: env.DATABASE_URL })
  await endAbandoned(second.ctx)
  await sweepHolds(second.ctx)
  await second.ctx.ledger.drain()
  const shown = await Promise.all(
    ids.map(
      async (id) =>
        ((await (await fetch(`${second.url}/v1/responses/${id}`, { headers })).json()) as { status: string }).status,
    ),
  )
  const { db } = second.ctx.database
  const charged = await db.selectFrom('ledger_entries').select('id').where('kind', '=', 'settle').execute()
  expect(shown.filter((status) => status === 'completed')).toHaveLength(charged.length)
  expect(shown.filter((status) => status === 'failed')).toHaveLength(count - charged.length)
  expect(await reconcile(db)).toEqual([])
  await second.stop()
  await vendor.stop()
})
