import { afterAll, beforeAll, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await borrowApp()
  admin = await signIn(app, { role: 'admin' })
})
afterAll(() => app.stop())

async function makeChannel(): Promise<number> {
  await admin.call(api.channels.create, { name: 'shared', key: 'secret-key', models: 'gpt-4o' })
  return (await admin.call(api.channels.list, { pagesize: 1 })).list[0]?.id ?? 0
}

test('models that several people add at one moment are all there', async () => {
  const id = await makeChannel()
  const added = Array.from({ length: 8 }, (_, at) => `model-${at}`)
  await Promise.all(added.map((model) => admin.call(api.channels.batch, { ids: [id], change: { add_models: model } })))
  const { models } = await admin.call(api.channels.get, { id })
  expect(models.split(',').toSorted()).toEqual(['gpt-4o', ...added])
})

test('an entry of the history holds what its own change did, and nothing that others did meanwhile', async () => {
  const id = await makeChannel()
  const changes = [{ name: 'renamed' }, { priority: 3 }, { weight: 5 }, { tags: 'fast' }, { other: 'x' }, { rpm: 9 }]
  await Promise.all(changes.map((change) => admin.call(api.channels.update, { id, ...change })))
  const { list } = await admin.call(api.history.list, { kind: 'channel', target: String(id), pagesize: 100 })
  const changed = list.flatMap(({ before, after }) => (before && after ? [after] : []))
  expect(changed).toHaveLength(changes.length)
  for (const change of changes) expect(changed).toContainEqual(change)
})
