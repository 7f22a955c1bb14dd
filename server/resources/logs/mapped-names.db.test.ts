import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { chatAnswer, errorAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import type { TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

const theirs = 'vendors-secret-name'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene()
  await scene.option('ModelRatio', JSON.stringify({ 'gpt-4o': 1, [theirs]: 1 }))
})
afterEach(async () => {
  for (const { id } of await scene.app.ctx.database.db.selectFrom('channels').select('id').execute())
    await scene.root.call(api.channels.remove, { id })
})
afterAll(() => scene.stop())

const usage = { prompt_tokens: 10, completion_tokens: 5 }
const text = async (answer: Promise<Response>) => (await answer).text()
const mapping = (name: string) => ({ models: name, model_mapping: JSON.stringify({ [name]: theirs }) })

/** Everything of the last request that this person can read. */
async function readBy(client: TestClient, own: boolean) {
  const [row] = (await scene.books()).rows
  const page = own ? await client.call(api.logs.own, {}) : await client.call(api.logs.list, {})
  const shown = page.list.find(({ request_id }) => request_id === row?.request_id)
  const detail = await client.call(api.logs.request, { request_id: row?.request_id ?? '' })
  const path = own ? '/api/log/self/export' : '/api/log/export'
  const lines = (await text(client.fetch(`${path}?format=jsonl`))).split('\n')
  const line = lines.find((each) => each.includes(row?.request_id ?? ''))
  const cells = (await text(client.fetch(`${path}?format=csv`)))
    .split('\n')
    .find((each) => each.includes(row?.request_id ?? ''))
  return { shown, detail, line: JSON.parse(line ?? 'null'), cells }
}

test.each([
  ['with a price of its own', 'gpt-4o'],
  ['sold at the price of what it is mapped to', 'house'],
])(
  'a mapped model %s has its asked name in the log of its user and both in that of administrators',
  async (_, name) => {
    await scene.channel(chatAnswer('hello', usage), mapping(name))
    expect((await scene.chat({ model: name })).status).toBe(200)
    const seen = await readBy(scene.user, true)
    expect(JSON.stringify(seen)).not.toContain(theirs)
    expect(seen.shown).toMatchObject({ model_name: name, detail: { charge: { model: name, modelRatio: 1 } } })
    expect(seen.detail.charge).toMatchObject({ model: name })
    expect(seen.line).toMatchObject({ model_name: name, detail: { charge: { model: name, groupRatio: 1 } } })
    expect(seen.cells).toContain(name)
    const all = await readBy(scene.root, false)
    for (const part of [all.shown, all.detail, all.line, all.cells]) expect(JSON.stringify(part)).toContain(theirs)
  },
)

test('what a vendor says of the model it refuses names the asked one to its user', async () => {
  await scene.channel(errorAnswer(404, { message: `The model ${theirs} is overloaded` }), mapping('gpt-4o'))
  expect((await scene.chat()).status).toBe(404)
  const seen = await readBy(scene.user, true)
  expect(JSON.stringify(seen)).not.toContain(theirs)
  expect(seen.detail.tries[0]?.fault?.message).toBe('The model gpt-4o is overloaded')
  expect(JSON.stringify((await readBy(scene.root, false)).detail)).toContain(theirs)
})

test('a model without a mapping, and a row without details, are shown as they are', async () => {
  await scene.channel(chatAnswer('hello', usage))
  expect((await scene.chat()).status).toBe(200)
  const seen = await readBy(scene.user, true)
  expect(seen.line.detail).toEqual(seen.shown?.detail)
  expect(seen.shown?.detail).toMatchObject({ charge: { model: 'gpt-4o' } })
})
