import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { epochSeconds } from '#server/context.ts'
import { stateRow } from '#server/relay/state/keep-answer.ts'
import { keepState } from '#server/relay/state/state.store.ts'
import { forgetState } from '#server/relay/stored/state.jobs.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { longestStall } from '#server/testing/longest-stall.ts'
import { type RelayScene, startingQuota, startRelayScene } from '#server/testing/relay-scene.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
  await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }), { type: 28 })
})
afterAll(async () => {
  expect(await reconcile(scene.app.ctx.database.db)).toEqual([])
  await scene.stop()
})

type Item = { id: string; type?: string; content?: { text: string }[] }
interface Listed {
  readonly data: Item[]
  readonly has_more: boolean
}

async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${scene.app.url}/v1/conversations${path}`, {
    method,
    headers: { authorization: `Bearer ${scene.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${answer.status}`)
  return (await answer.json()) as Answer
}

const said = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({ type: 'message', role: 'user', content: `text ${from + n}` }))
const make = async (items: unknown[]) => (await call<{ id: string }>('POST', '', { items })).id
const texts = ({ data }: Listed) => data.map((item) => item.content?.[0]?.text)
const rowsOf = (id: string) =>
  scene.app.ctx.database.db.selectFrom('relay_items').selectAll().where('parent', '=', id).execute()

describe('the items of a conversation', () => {
  test('are listed page by page in both orders, also behind one that is gone', async () => {
    const id = await make(said(5))
    await call('POST', `/${id}/items`, { items: said(2, 5) })
    const first = await call<Listed>('GET', `/${id}/items?order=asc&limit=3`)
    expect([texts(first), first.has_more]).toEqual([['text 0', 'text 1', 'text 2'], true])
    const next = await call<Listed>('GET', `/${id}/items?order=asc&limit=4&after=${first.data[2]?.id}`)
    expect([texts(next), next.has_more]).toEqual([['text 3', 'text 4', 'text 5', 'text 6'], false])
    const newest = await call<Listed>('GET', `/${id}/items?limit=1`)
    expect([texts(newest), newest.has_more]).toEqual([['text 6'], true])
    await call('DELETE', `/${id}/items/${first.data[0]?.id}`)
    expect(texts(await call<Listed>('GET', `/${id}/items?order=asc&limit=1`))).toEqual(['text 1'])
    await expect(call('GET', `/${id}/items/${first.data[0]?.id}`)).rejects.toThrow('404')
    expect(await call<Item>('GET', `/${id}/items/${newest.data[0]?.id}`)).toEqual(newest.data[0] as Item)
  })

  test('are unknown by ids that cannot be stored', async () => {
    const id = await make(said(1))
    await expect(call('GET', `/${id}/items/a%00b`)).rejects.toThrow('404')
    expect(await call('DELETE', `/${id}/items/a%00b`)).toMatchObject({ id })
    expect(texts(await call<Listed>('GET', `/${id}/items?after=a%00b`))).toEqual(['text 0'])
  })

  test('are sealed, and gone with their conversation', async () => {
    const id = await make([{ type: 'message', role: 'user', content: 'a secret nobody may read' }])
    const rows = await rowsOf(id)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('secret')
    await call('DELETE', `/${id}`)
    expect(await rowsOf(id)).toEqual([])
  })

  test('are gone when their conversation has expired, and those of others are not', async () => {
    const [expired, stays] = [await make(said(1200)), await make(said(1))]
    await scene.app.ctx.database.db
      .updateTable('relay_state')
      .set({ expires_at: 1 })
      .where('id', '=', expired)
      .execute()
    await forgetState.run(scene.app.ctx)
    expect(await rowsOf(expired)).toEqual([])
    expect(await rowsOf(stays)).toHaveLength(1)
  })

  test('are all sent with the next turn, which is added to them', async () => {
    const id = await make(said(3))
    const answer = await scene.post('/v1/responses', { model: 'gpt-4o', input: 'and now?', conversation: id })
    expect(answer.status).toBe(200)
    await answer.text()
    const { data } = await call<Listed>('GET', `/${id}/items?order=asc`)
    expect(texts({ data, has_more: false })).toEqual(['text 0', 'text 1', 'text 2', 'and now?', 'hello'])
  })

  test('of turns at the same time stand one behind the other', async () => {
    const id = await make([])
    await Promise.all([0, 1, 2, 3].map((n) => call('POST', `/${id}/items`, { items: said(3, n * 3) })))
    const all = texts(await call<Listed>('GET', `/${id}/items?order=asc`))
    expect(all.toSorted()).toEqual(
      said(12)
        .map(({ content }) => content)
        .toSorted(),
    )
    for (let n = 0; n < 12; n += 3) {
      const at = all.indexOf(`text ${n}`)
      expect(all.slice(at, at + 3)).toEqual([`text ${n}`, `text ${n + 1}`, `text ${n + 2}`])
    }
  })

  test('kept in one piece by an earlier version are read, continued and taken apart once', async () => {
    const id = await make([])
    const { ctx } = scene.app
    const items = said(3).map((item, n) => ({
      ...item,
      id: `in_${n}`,
      content: [{ type: 'input_text', text: item.content }],
    }))
    const body_sealed = ctx.secrets.seal(JSON.stringify({ metadata: { a: 'b' }, items }))
    await ctx.database.db.updateTable('relay_state').set({ body_sealed, items: -1 }).where('id', '=', id).execute()
    const pages = await Promise.all([1, 2, 3].map(() => call<Listed>('GET', `/${id}/items?order=asc`)))
    for (const page of pages) expect(texts(page)).toEqual(['text 0', 'text 1', 'text 2'])
    expect(await call('GET', `/${id}`)).toMatchObject({ metadata: { a: 'b' } })
    await call('POST', `/${id}/items`, { items: said(1, 3) })
    expect(texts(await call<Listed>('GET', `/${id}/items?limit=2`))).toEqual(['text 3', 'text 2'])
    expect(await rowsOf(id)).toHaveLength(4)
  })
})

describe('a long chain of responses', () => {
  const turns = 300

  beforeAll(async () => {
    const { ctx } = scene.app
    const sealed = (n: number) =>
      ctx.secrets.seal(
        JSON.stringify({ response: { output: [] }, input: said(1, n), previous: n === 0 ? '' : `resp_${n - 1}` }),
      )
    const thing = { userId: scene.userId, kind: 'response', now: epochSeconds(ctx), days: 1 } as const
    const rows = Array.from({ length: turns }, (_, n) =>
      stateRow({ ...thing, id: `resp_${n}` }, { body_sealed: sealed(n) }),
    )
    await keepState(ctx.database.db, rows)
  })
  const ask = (turn: number) =>
    scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi', previous_response_id: `resp_${turn}` })

  test('is not read to its end for who has nothing, a short one is where the model is free', async () => {
    await scene.root.call(api.users.update, { id: scene.userId, quota: 0 })
    const { result, stallMs } = await longestStall(() => ask(turns - 1))
    expect([result.status, stallMs < 100]).toEqual([402, true])
    await scene.option('ModelRatio', '{"gpt-4o": 0}')
    const answers = [await ask(20), await ask(turns - 1)]
    expect(answers.map(({ status }) => status)).toEqual([200, 402])
    await scene.option('ModelRatio', '{"gpt-4o": 1}')
    await scene.root.call(api.users.update, { id: scene.userId, quota: startingQuota })
  })

  test('is not read to its end for who is beyond his limits', async () => {
    const { key } = await scene.user.call(api.tokens.create, { name: 'limited', unlimited_quota: true, rpm: 1 })
    const headers = { authorization: `Bearer sk-${key}` }
    const body = { model: 'gpt-4o', input: 'hi', previous_response_id: `resp_${turns - 1}` }
    expect((await scene.post('/v1/responses', body, { headers })).status).toBe(200)
    const { result, stallMs } = await longestStall(() => scene.post('/v1/responses', body, { headers }))
    expect([result.status, stallMs < 100]).toEqual([429, true])
  })

  test('is sent whole for who has money', async () => {
    const channel = await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }), {
      type: 28,
      models: 'other',
      model_mapping: '{"other":"gpt-4o"}',
    })
    await scene.option('ModelRatio', '{"gpt-4o": 1, "other": 1}')
    const answer = await scene.post('/v1/responses', {
      model: 'other',
      input: 'hi',
      previous_response_id: `resp_${turns - 1}`,
    })
    expect(answer.status).toBe(200)
    const texts = [channel.seen.at(-1)?.body.messages].flat().map((message) => JSON.stringify(message))
    expect(texts).toHaveLength(turns + 1)
    expect(texts[0]).toContain('text 0')
  })
})

test('long responses that are read many at once keep nobody waiting for more than one of them', async () => {
  const { ctx } = scene.app
  const thing = { userId: scene.userId, kind: 'response', id: 'resp_long', now: epochSeconds(ctx), days: 1 } as const
  const input = said(20_000).map((item) => ({ ...item, content: 'a'.repeat(150) }))
  const body_sealed = ctx.secrets.seal(
    JSON.stringify({ response: { id: 'resp_long', output: [] }, input, previous: '' }),
  )
  await keepState(ctx.database.db, [stateRow(thing, { body_sealed })])
  const read = async () => {
    const headers = { authorization: `Bearer ${scene.key}` }
    const answer = await fetch(`${scene.app.url}/v1/responses/resp_long/input_items?limit=1`, { headers })
    return ((await answer.json()) as Listed).data.length
  }
  const { result, stallMs } = await longestStall(() => Promise.all(Array.from({ length: 20 }, read)))
  expect(result).toEqual(Array.from({ length: 20 }, () => 1))
  expect(stallMs).toBeLessThan(250)
})

describe('a long conversation', () => {
  let id = ''
  beforeAll(async () => {
    id = await make([])
    for (let n = 0; n < 3; n += 1) {
      const { stallMs } = await longestStall(() => call('POST', `/${id}/items`, { items: said(20_000, n * 20_000) }))
      expect(stallMs).toBeLessThan(250)
    }
  })

  test('costs a page where a page is read', async () => {
    const { stallMs } = await longestStall(() =>
      Promise.all(Array.from({ length: 30 }, () => call('GET', `/${id}/items?limit=1`))),
    )
    expect(stallMs).toBeLessThan(100)
  })

  test('is not read for who has nothing', async () => {
    const ask = () => scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi', conversation: id })
    await scene.root.call(api.users.update, { id: scene.userId, quota: 0 })
    const poor = await longestStall(ask)
    expect([poor.result.status, poor.stallMs < 50]).toEqual([402, true])
    await scene.root.call(api.users.update, { id: scene.userId, quota: startingQuota })
  })

  test('is removed without keeping anybody waiting', async () => {
    const { stallMs } = await longestStall(() => call('DELETE', `/${id}`))
    expect(stallMs).toBeLessThan(250)
    expect(await rowsOf(id)).toEqual([])
  })
})
