import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { sql } from 'kysely'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { abandonState } from '#server/relay/state/state.store.ts'
import { eventually } from '#server/testing/eventually.ts'
import { expectCharge, expectFree, expectUntouched } from '#server/testing/expect-charge.ts'
import { type Behaviour, chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { responsesIn, type ShownResponse } from '#server/testing/responses-scene.ts'
import { strangerKey } from '#server/testing/stranger-key.ts'
import { endAbandoned } from './state.jobs.ts'

let scene: RelayScene
let stranger: string
beforeAll(async () => {
  scene = await startRelayScene()
  stranger = await strangerKey(scene)
})
afterEach(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.clear()
})
afterAll(() => scene.stop())

const plain = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
const asStranger = () => ({ headers: { authorization: `Bearer ${stranger}` } })
const { call, respond } = responsesIn(() => scene)

const readOwn = async (id: string) => (await (await call('GET', `/v1/responses/${id}`)).json()) as ShownResponse
const ended = (id: string) =>
  eventually(
    () => readOwn(id),
    ({ status }) => status !== 'queued',
  )

/** Another one from beginning to end: what was made before it has been written by then. */
const later = async () => ended((await respond({ input: 'x', background: true })).body.id)

/** A server that knows chat alone. */
const chatOnly: Behaviour = (request) =>
  request.path === '/v1/chat/completions' ? plain(request) : new Response('not found', { status: 404 })

let made = 0
/** OpenAI's own responses: each with ids nobody else has. */
const openai: Behaviour = () => {
  made += 1
  const content = [{ type: 'output_text', text: 'hello', annotations: [] }]
  return Response.json({
    id: `resp_${made}`,
    object: 'response',
    status: 'completed',
    model: 'm',
    output: [{ type: 'message', id: `msg_${made}`, role: 'assistant', status: 'completed', content }],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  })
}

/** Answers when it is let. */
function gated(behaviour: Behaviour) {
  const gate = Promise.withResolvers<void>()
  const held: Behaviour = async (request) => {
    await gate.promise
    return behaviour(request)
  }
  return { held, open: () => gate.resolve() }
}

describe('a response in the background', () => {
  test('is queued at once and billed when it is done', async () => {
    await scene.channel(chatOnly, { type: 8 })
    const bill = await scene.bill(async () => {
      const { body } = await respond({ input: 'hi', background: true })
      expect(body).toMatchObject({ status: 'queued' })
      const done = await ended(body.id)
      expect(done).toMatchObject({ id: body.id, status: 'completed', background: true })
      expect(done.output[0]?.content[0]?.text).toBe('hello')
    })
    expectCharge(bill, 30)
  })

  test('is kept once when it is done, as one of the background', async () => {
    await scene.channel(chatOnly, { type: 8 })
    const seal = spyOn(scene.app.ctx.secrets, 'seal')
    const { body } = await respond({ input: 'hi', background: true })
    await ended(body.id)
    const kept = seal.mock.calls.map(([text]) => JSON.parse(text) as { response: object })
    seal.mockRestore()
    expect(kept.map(({ response }) => response)).toMatchObject([
      { id: body.id, status: 'queued', background: true },
      { id: body.id, status: 'completed', background: true },
    ])
  })

  test('is gone on with, also where its vendor keeps what came before', async () => {
    const upstream = await scene.channel(openai)
    const first = await respond({ input: 'my name is Ann' })
    const { body } = await respond({ input: 'go on', previous_response_id: first.body.id, background: true })
    expect((await ended(body.id)).status).toBe('completed')
    expect((await respond({ input: 'who am I?', previous_response_id: body.id })).status).toBe(200)
    expect(upstream.seen.at(-1)?.body).toMatchObject({
      previous_response_id: first.body.id,
      input: [{ role: 'user' }, { role: 'assistant' }, { role: 'user', content: 'who am I?' }],
    })
    expect((await respond({ input: 'x', previous_response_id: body.id }, asStranger())).status).toBe(404)
  })

  test('that fails costs nothing and says why', async () => {
    await scene.channel(() => Response.json({ error: { message: 'broken' } }, { status: 400 }), { type: 1 })
    const bill = await scene.bill(async () => {
      const { body } = await respond({ input: 'hi', background: true })
      const failed = await ended(body.id)
      expect(failed.status).toBe('failed')
      expect(failed.error?.message).toContain('broken')
    })
    expectFree(bill, { outcome: 'failed' })
  })

  test('is kept although it could not be written when it was done', async () => {
    const { held, open } = gated(chatOnly)
    await scene.channel(held, { type: 8 })
    const { db } = scene.app.ctx.database
    const bill = await scene.bill(async () => {
      const { body } = await respond({ input: 'hi', background: true })
      await sql`alter table relay_state rename to relay_state_away`.execute(db)
      open()
      const paid = () => db.selectFrom('logs').select('id').where('type', '=', 2).execute()
      await eventually(paid, (rows) => rows.length > 0)
      await Bun.sleep(50)
      await sql`alter table relay_state_away rename to relay_state`.execute(db)
      expect((await ended(body.id)).status).toBe('completed')
    })
    expectCharge(bill, 30)
  })

  test('is refused at once when it cannot be paid, kept or streamed, and nothing is kept of it', async () => {
    const upstream = await scene.channel(plain)
    const { db } = scene.app.ctx.database
    const count = async () => (await db.selectFrom('relay_state').select('id').execute()).length
    const before = await count()
    const bill = await scene.bill(async () => {
      const poor = await respond({ input: 'hi', background: true, max_output_tokens: 1_000_000 }, asStranger())
      expect(poor.status).toBe(402)
      expect((await respond({ input: 'hi', background: true, store: false })).status).toBe(400)
      expect((await respond({ input: 'hi', background: true, stream: true })).status).toBe(400)
      expect((await respond({ input: 'hi', background: true, previous_response_id: 'resp_no' })).status).toBe(404)
    })
    expectUntouched(bill)
    expect(upstream.seen).toHaveLength(0)
    expect(await count()).toBe(before)
  })

  test('that cannot be kept is not asked for, and costs nothing', async () => {
    const upstream = await scene.channel(plain, { type: 8 })
    const { db } = scene.app.ctx.database
    const bill = await scene.bill(async () => {
      await sql`alter table relay_state rename to relay_state_away`.execute(db)
      const { status } = await respond({ input: 'hi', background: true })
      await sql`alter table relay_state_away rename to relay_state`.execute(db)
      expect(status).toBe(500)
    })
    expectFree(bill, { outcome: 'failed' })
    expect(upstream.seen).toHaveLength(0)
  })

  test('can be cancelled by its user; what its vendor did is paid, and it stays cancelled', async () => {
    const { held, open } = gated(openai)
    await scene.channel(held)
    let id = ''
    const bill = await scene.bill(async () => {
      id = (await respond({ input: 'hi', background: true })).body.id
      expect((await call('POST', `/v1/responses/${id}/cancel`, stranger)).status).toBe(404)
      const cancelled = await call('POST', `/v1/responses/${id}/cancel`)
      expect(await cancelled.json()).toMatchObject({ status: 'cancelled' })
      open()
    })
    expect(bill).toMatchObject({ user: -30, token: -30, holds: 0 })
    await later()
    expect(await readOwn(id)).toMatchObject({ status: 'cancelled' })
  })

  test('that is deleted while it is made stays deleted, and is paid', async () => {
    const { held, open } = gated(openai)
    await scene.channel(held)
    let id = ''
    const bill = await scene.bill(async () => {
      id = (await respond({ input: 'hi', background: true })).body.id
      expect((await call('DELETE', `/v1/responses/${id}`, stranger)).status).toBe(404)
      expect((await call('DELETE', `/v1/responses/${id}`)).status).toBe(200)
      open()
    })
    expect(bill).toMatchObject({ user: -30, token: -30, holds: 0 })
    await later()
    expect((await call('GET', `/v1/responses/${id}`)).status).toBe(404)
  })
})

/** Keeps settlements waiting until they are let. */
function gatedSettlement() {
  const { ledger } = scene.app.ctx
  const real = ledger.settle
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const settle = spyOn(ledger, 'settle').mockImplementation(async (settlement) => {
    begun.resolve()
    await gate.promise
    return real(settlement)
  })
  return {
    begun: begun.promise,
    open() {
      settle.mockRestore()
      gate.resolve()
    },
  }
}

test('a response that is cancelled when it has just been made stays as it was made', async () => {
  await scene.channel(openai)
  const gate = gatedSettlement()
  const bill = await scene.bill(async () => {
    const { id } = (await respond({ input: 'hi', background: true })).body
    await gate.begun
    expect((await readOwn(id)).status).toBe('queued')
    const cancelling = call('POST', `/v1/responses/${id}/cancel`)
    gate.open()
    expect(await (await cancelling).json()).toMatchObject({ id, status: 'completed' })
    expect((await ended(id)).status).toBe('completed')
    expect(await (await call('POST', `/v1/responses/${id}/cancel`)).json()).toMatchObject({ status: 'completed' })
  })
  expectCharge(bill, 30)
})

test('a response whose node was killed when it was paid is done, and can be gone on with', async () => {
  await scene.channel(openai)
  const { db } = scene.app.ctx.database
  const gate = gatedSettlement()
  const { id } = (await respond({ input: 'hi', background: true })).body
  await gate.begun
  const unpaid = await db.selectFrom('relay_state').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  gate.open()
  await ended(id)
  await db.deleteFrom('relay_state').where('parent', '=', id).execute()
  await db
    .updateTable('relay_state')
    .set({ ...unpaid, node: 'killed', created_at: 1 })
    .where('id', '=', id)
    .execute()
  expect((await readOwn(id)).status).toBe('queued')
  expect(await endAbandoned(scene.app.ctx)).toBe(1)
  const done = await readOwn(id)
  expect(done).toMatchObject({ id, status: 'completed' })
  const items = await db.selectFrom('relay_state').select('id').where('parent', '=', id).execute()
  expect(items).toHaveLength(1)
})

test('a response whose node was killed before it was paid fails, and costs nothing', async () => {
  await scene.channel(openai)
  const { db } = scene.app.ctx.database
  const gate = gatedSettlement()
  const { id } = (await respond({ input: 'hi', background: true })).body
  await gate.begun
  await db.updateTable('relay_state').set({ node: 'killed', created_at: 1 }).where('id', '=', id).execute()
  expect(await endAbandoned(scene.app.ctx)).toBe(1)
  expect(await readOwn(id)).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
  // It was not dead after all.
  gate.open()
  await eventually(
    () => readOwn(id),
    ({ status }) => status === 'completed',
  )
})

test('a response that a killed node was making fails and costs nothing', async () => {
  await scene.channel(chatOnly, { type: 8 })
  const { body } = await respond({ input: 'hi', background: true })
  await ended(body.id)
  const { db } = scene.app.ctx.database
  await db
    .updateTable('relay_state')
    .set({ status: 'in_progress', node: 'killed', created_at: 1 })
    .where('id', '=', body.id)
    .execute()
  expect(await endAbandoned(scene.app.ctx)).toBe(1)
  expect(await readOwn(body.id)).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
  expect(await endAbandoned(scene.app.ctx)).toBe(0)
})

test('what its node has ended after all is not failed by another that took it for dead', async () => {
  await scene.channel(chatOnly, { type: 8 })
  const { id } = (await respond({ input: 'hi', background: true })).body
  await ended(id)
  const { db } = scene.app.ctx.database
  const row = await db.selectFrom('relay_state').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await abandonState(db, { ...row, kind: 'response' }, 'never opened')
  expect((await readOwn(id)).status).toBe('completed')
})
