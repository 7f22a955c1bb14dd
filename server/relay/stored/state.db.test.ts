import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { expectCharge, expectUntouched } from '#server/testing/expect-charge.ts'
import { type Behaviour, chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { responsesIn } from '#server/testing/responses-scene.ts'
import { strangerKey } from '#server/testing/stranger-key.ts'
import { api } from '#shared/api/all.ts'

let scene: RelayScene
let stranger: string
beforeAll(async () => {
  scene = await startRelayScene()
  stranger = await strangerKey(scene)
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const plain = chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 })
const asStranger = () => ({ headers: { authorization: `Bearer ${stranger}` } })
const { call, respond } = responsesIn(() => scene)

let made = 0
/** OpenAI's own responses: each with ids nobody else has. */
const openai =
  (name: string): Behaviour =>
  ({ path }) => {
    if (path !== '/v1/responses') return Response.json({ asked: name, path })
    const id = `${name}_${made++}`
    const message = {
      type: 'message',
      id: `msg_${id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'hello', annotations: [] }],
    }
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
    return Response.json({
      id: `resp_${id}`,
      object: 'response',
      status: 'completed',
      model: 'm',
      output: [message],
      usage,
    })
  }

/** A server that knows chat alone. */
const chatOnly: Behaviour = (request) =>
  request.path === '/v1/chat/completions' ? plain(request) : new Response('not found', { status: 404 })

describe('a response its vendor keeps', () => {
  test('is gone on with, and referred to, at the channel that made it, a hundred times of a hundred', async () => {
    const one = await scene.channel(openai('one'))
    const two = await scene.channel(openai('two'))
    for (let turn = 0; turn < 50; turn++) {
      const first = await respond({ input: 'hi' })
      const [item] = first.body.output
      const next = await respond({ input: 'go on', previous_response_id: first.body.id })
      const again = await respond({
        input: [
          { type: 'item_reference', id: item?.id },
          { role: 'user', content: 'x' },
        ],
      })
      const maker = first.body.id.slice(5, 8)
      expect([next.body.id.slice(5, 8), again.body.id.slice(5, 8)]).toEqual([maker, maker])
    }
    expect(one.seen.length).toBeGreaterThan(0)
    expect(two.seen.length).toBeGreaterThan(0)
  })

  test('is read and deleted there, for nothing, and is unknown to others, of whom the vendor is not asked', async () => {
    const upstream = await scene.channel(openai('one'))
    const { body } = await respond({ input: 'hi' })
    const bill = await scene.bill(async () => {
      expect(await (await call('GET', `/v1/responses/${body.id}`)).json()).toEqual({
        asked: 'one',
        path: `/v1/responses/${body.id}`,
      })
    })
    expectUntouched(bill)
    const asked = upstream.seen.length
    for (const [method, path] of [
      ['GET', `/v1/responses/${body.id}`],
      ['DELETE', `/v1/responses/${body.id}`],
      ['GET', `/v1/responses/${body.id}/input_items`],
      ['POST', `/v1/responses/${body.id}/cancel`],
    ] as const) {
      expect((await call(method, path, stranger)).status).toBe(404)
    }
    expect((await respond({ input: 'x', previous_response_id: body.id }, asStranger())).status).toBe(404)
    expect((await respond({ input: [{ type: 'item_reference', id: body.output[0]?.id }] }, asStranger())).status).toBe(
      404,
    )
    expect((await respond({ input: 'x', previous_response_id: 'resp_never' })).status).toBe(404)
    expect(upstream.seen).toHaveLength(asked)
    expect((await call('DELETE', `/v1/responses/${body.id}`)).status).toBe(200)
    expect((await call('GET', `/v1/responses/${body.id}`)).status).toBe(404)
  })

  test('may be used with any key of its user', async () => {
    await scene.channel(openai('one'))
    const { body } = await respond({ input: 'hi' })
    const other = await scene.user.call(api.tokens.create, { name: 'second', remain_quota: 100_000 })
    const headers = { authorization: `Bearer sk-${other.key}` }
    expect((await respond({ input: 'x', previous_response_id: body.id }, { headers })).status).toBe(200)
  })
})

describe('a response no vendor keeps', () => {
  test('is kept here: gone on with, referred to, read, listed and deleted', async () => {
    const upstream = await scene.channel(chatOnly, { type: 8 })
    const first = await respond({ input: 'my name is Ann' })
    expect(first.body).toMatchObject({ store: true, status: 'completed' })
    let next = first
    const bill = await scene.bill(async () => {
      next = await respond({ input: 'who am I?', previous_response_id: first.body.id })
    })
    expectCharge(bill, 30)
    expect(next.body.previous_response_id).toBe(first.body.id)
    expect(upstream.seen.at(-1)?.body.messages).toEqual([
      { role: 'user', content: 'my name is Ann' },
      { role: 'assistant', content: 'hello' },
      { role: 'user', content: 'who am I?' },
    ])
    await respond({
      input: [
        { type: 'item_reference', id: first.body.output[0]?.id },
        { role: 'user', content: 'x' },
      ],
    })
    expect(upstream.seen.at(-1)?.body.messages).toEqual([
      { role: 'assistant', content: 'hello' },
      { role: 'user', content: 'x' },
    ])
    expect(await (await call('GET', `/v1/responses/${next.body.id}`)).json()).toEqual(next.body)
    const items = await (await call('GET', `/v1/responses/${next.body.id}/input_items`)).json()
    expect(items).toMatchObject({ object: 'list', data: [{ role: 'user' }], has_more: false })
    expect((await call('GET', `/v1/responses/${next.body.id}`, stranger)).status).toBe(404)
    expect(await (await call('DELETE', `/v1/responses/${next.body.id}`)).json()).toMatchObject({ deleted: true })
    expect((await call('GET', `/v1/responses/${next.body.id}`)).status).toBe(404)
  })

  test('lets each item of its input be referred to by the id it is listed under, its user alone', async () => {
    const upstream = await scene.channel(chatOnly, { type: 8 })
    const { body } = await respond({
      input: [
        { role: 'user', content: 'one' },
        { role: 'user', content: 'two' },
      ],
    })
    const items = await (await call('GET', `/v1/responses/${body.id}/input_items?order=asc`)).json()
    const input = [{ type: 'item_reference', id: (items as { data: { id: string }[] }).data[1]?.id }]
    expect((await respond({ input })).status).toBe(200)
    expect(upstream.seen.at(-1)?.body.messages).toEqual([{ role: 'user', content: 'two' }])
    expect((await respond({ input }, asStranger())).status).toBe(404)
    await call('DELETE', `/v1/responses/${body.id}`)
    expect((await respond({ input })).status).toBe(404)
  })

  test('makes no larger body than a client may send, however often its items are referred to', async () => {
    const upstream = await scene.channel(chatOnly, { type: 8 })
    const { body } = await respond({ input: [{ role: 'user', content: 'x'.repeat(1024 * 1024) }] })
    const reference = { type: 'item_reference', id: `in_${body.id.slice('resp_'.length)}_0` }
    const asked = upstream.seen.length
    const refused = await respond({ input: Array.from({ length: 65 }, () => reference) })
    expect(refused.status).toBe(413)
    expect(refused.body.error?.message).toStartWith('The request body is too large: 64 MB with all that it refers to')
    expect(upstream.seen).toHaveLength(asked)
  })

  test('cannot be read as a stream, and says so', async () => {
    await scene.channel(chatOnly, { type: 8 })
    const { body } = await respond({ input: 'hi' })
    const answer = await call('GET', `/v1/responses/${body.id}?stream=true`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 'background_stream' } })
  })

  test('is kept when it was streamed, and sealed in the database', async () => {
    await scene.channel(chatOnly, { type: 8 })
    const text = await (await scene.post('/v1/responses', { model: 'gpt-4o', input: 'a secret', stream: true })).text()
    const id = /"id":"(resp_[^"]+)"/.exec(text)?.[1] ?? ''
    expect((await call('GET', `/v1/responses/${id}`)).status).toBe(200)
    const rows = await scene.app.ctx.database.db.selectFrom('relay_state').selectAll().where('id', '=', id).execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('a secret')
  })

  test('is not kept when its client or the operator does not want it', async () => {
    await scene.channel(chatOnly, { type: 8 })
    const unstored = await respond({ input: 'hi', store: false })
    expect((await call('GET', `/v1/responses/${unstored.body.id}`)).status).toBe(404)
    await scene.option('ResponseRetentionDays', 0)
    const off = await respond({ input: 'hi' })
    expect((await call('GET', `/v1/responses/${off.body.id}`)).status).toBe(404)
  })
})

test('the state of another is unknown however it is spelt, and the vendor is not asked', async () => {
  const channel = await scene.channel(openai('spelt'))
  const { body } = await respond({ input: 'mine', store: true })
  const item = body.output[0]?.id ?? ''
  const asked = channel.seen.length
  const head = '{"model":"gpt-4o","max_output_tokens":20,"input":'
  const attempts = [
    `${head}"x","previous_response_id":"${body.id}"}`,
    `${head}"x","previous\\u005fresponse_id":"${body.id}"}`,
    `${head}[{"type":"item_reference","id":"${item}"}]}`,
    `${head}[{"type":"item_r\\u0065ference","id":"${item}"}]}`,
    `${head}[{"id":"${item}"}]}`,
    `${head}[{"type":null,"id":"${item}"}]}`,
    `${head}"x","tools":[{"type":"code_interpreter","container":"cntr_of_another"}]}`,
  ]
  for (const text of attempts) {
    const answer = await fetch(`${scene.app.url}/v1/responses`, { method: 'POST', body: text, ...asStranger() })
    expect([text, answer.status]).toEqual([text, 404])
  }
  expect(channel.seen).toHaveLength(asked)
})

test('a conversation is begun no larger than it may grow', async () => {
  await scene.channel(chatOnly, { type: 8 })
  const items = [{ type: 'message', role: 'user', content: 'x'.repeat(17 * 1024 * 1024) }]
  const small = (await (await scene.post('/v1/conversations', {})).json()) as { id: string }
  for (const path of ['/v1/conversations', `/v1/conversations/${small.id}/items`]) {
    const answer = await scene.post(path, { items })
    expect(answer.status).toBe(413)
    expect(await answer.text()).toContain('The request body is too large: 16 MB at most.')
  }
})
