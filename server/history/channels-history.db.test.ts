import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type HistoryScene, historyScene } from '#server/testing/history-scene.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import type { HistoryEntry, HistoryKind } from '#shared/api/history.ts'

let scene: HistoryScene
let app: TestApp
let root: TestClient
beforeAll(async () => {
  scene = await historyScene()
  ;({ app, root } = scene)
})
afterAll(() => app.stop())

const newest = (kind?: HistoryKind) => scene.newest(kind)
const undo = (entry: HistoryEntry, client?: TestClient) => scene.undo(entry, client)
const refusal = (entry: HistoryEntry, client?: TestClient) => scene.refusal(entry, client)
const makeChannel = (name: string, key?: string) => scene.makeChannel(name, key)

const keyOf = async (id: number): Promise<string> => {
  const row = await app.ctx.database.db
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return app.ctx.secrets.open(row.key_sealed)
}

describe('channels', () => {
  test('an edit holds what changed, and is undone and done again', async () => {
    const id = await makeChannel('edited')
    await root.call(api.channels.update, { id, priority: 7, models: 'gpt-4o' })
    const entry = await newest('channel')
    expect(entry).toMatchObject({
      actor: 'root',
      address: '127.0.0.1',
      target: String(id),
      name: 'edited',
      before: { priority: 0, models: 'gpt-4o,gpt-4o-mini' },
      after: { priority: 7, models: 'gpt-4o' },
      undoable: true,
      why_not: '',
      undone_by: null,
    })
    expect(Object.keys(entry.before ?? {})).toHaveLength(2)
    const undone = await undo(entry)
    expect(undone).toMatchObject({ undoes: entry.id, before: { priority: 7 }, after: { priority: 0 }, undoable: true })
    expect(await root.call(api.channels.get, { id })).toMatchObject({ priority: 0, models: 'gpt-4o,gpt-4o-mini' })
    expect(await root.call(api.history.get, { id: entry.id })).toMatchObject({ undone_by: undone.id, undoable: false })
    expect(await refusal(entry)).toContain(`Already undone by entry ${undone.id}`)
    await undo(undone)
    expect(await root.call(api.channels.get, { id })).toMatchObject({ priority: 7, models: 'gpt-4o' })
  })

  test('a change of the same field since is a conflict that names it, of another field it is not', async () => {
    const id = await makeChannel('disputed')
    await root.call(api.channels.update, { id, weight: 5 })
    const entry = await newest('channel')
    await root.call(api.channels.update, { id, priority: 3 })
    expect((await root.call(api.history.get, { id: entry.id })).undoable).toBeTrue()
    await root.call(api.channels.update, { id, weight: 6 })
    const later = await newest('channel')
    const now = await root.call(api.history.get, { id: entry.id })
    expect(now.undoable).toBeFalse()
    expect(now.why_not).toMatch(/weight of channel disputed, by root at \d{4}-/)
    expect(await refusal(entry)).toBe(now.why_not)
    expect((await root.call(api.channels.get, { id })).weight).toBe(6)
    await undo(later)
    await undo(entry)
    expect(await root.call(api.channels.get, { id })).toMatchObject({ weight: 0, priority: 3 })
  })

  test('a new key is shown as changed, put back by an undo, and found in no answer', async () => {
    const id = await makeChannel('rekeyed', 'planted-old-key')
    await root.call(api.channels.update, { id, key: 'planted-new-key' })
    const entry = await newest('channel')
    expect(entry).toMatchObject({ before: { key: 'changed' }, after: { key: 'changed' } })
    await undo(entry)
    expect(await keyOf(id)).toBe('planted-old-key')
    const all = await root.fetch('/api/history/?pagesize=100')
    expect(await all.text()).not.toContain('planted')
    const rows = await app.ctx.database.db.selectFrom('history_items').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('planted-old')
  })

  test('a key is not put back where it would be sent elsewhere', async () => {
    const id = await makeChannel('carried', 'planted-victim')
    await root.call(api.channels.update, { id, key: 'attackers' })
    const rekeyed = await newest('channel')
    await root.call(api.channels.update, { id, base_url: 'https://evil.example', key: 'attackers' })
    expect(await refusal(rekeyed)).toContain('base_url')
    expect(await keyOf(id)).toBe('attackers')
    await undo(await newest('channel'))
    expect(await refusal(rekeyed)).toContain('base_url')
  })

  test('a channel is not put back to where its key of now was never entered for', async () => {
    const id = await makeChannel('lured', 'attackers')
    await root.call(api.channels.update, { id, base_url: 'https://evil.example', key: 'attackers' })
    await root.call(api.channels.update, { id, base_url: 'https://good.example', key: 'attackers' })
    const moved = await newest('channel')
    expect(Object.keys(moved.after ?? {})).toEqual(['base_url'])
    await root.call(api.channels.update, { id, key: 'planted-victim' })
    const rekeyed = await newest('channel')
    expect(await refusal(moved)).toContain('key of channel lured')
    expect(await root.call(api.channels.get, { id })).toMatchObject({ base_url: 'https://good.example' })
    await undo(rekeyed)
    expect(await refusal(moved)).toContain('key')
  })

  test('a pool is not taken back while the channel has several keys', async () => {
    const id = await makeChannel('pooled', 'planted-first')
    await root.call(api.channels.update, { id, pool: true })
    const made = await newest('channel')
    await root.call(api.channels.update, { id, key: 'planted-first\nplanted-second' })
    const added = await newest('channel')
    expect(await root.call(api.history.get, { id: made.id })).toMatchObject({ undoable: false })
    expect(await refusal(made)).toContain('a channel has one key')
    expect((await root.call(api.channels.get, { id })).pool).toBeTrue()
    await undo(added)
    await undo(made)
    expect((await root.call(api.channels.get, { id })).pool).toBeFalse()
  })

  test('a deleted channel comes back with its number and its key', async () => {
    const id = await makeChannel('deleted')
    const before = await root.call(api.channels.get, { id })
    await root.call(api.channels.remove, { id })
    const entry = await newest('channel')
    expect(entry).toMatchObject({ after: null, before: { name: 'deleted', key: 'changed' }, target: String(id) })
    const back = await undo(entry)
    expect(back).toMatchObject({ before: null, after: { name: 'deleted' } })
    expect(await root.call(api.channels.get, { id })).toEqual(before)
    expect(await keyOf(id)).toBe('planted-key-of-deleted')
    await undo(back)
    expect((await root.raw(api.channels.get, { id })).success).toBeFalse()
  })

  test('a creation is undone by deleting, unless the channel was changed', async () => {
    const id = await makeChannel('made')
    const made = await newest('channel')
    expect(made).toMatchObject({ before: null, after: { name: 'made', models: 'gpt-4o,gpt-4o-mini' } })
    await root.call(api.channels.update, { id, name: 'made anew' })
    const renamed = await newest('channel')
    expect(await refusal(made)).toContain('name of channel made')
    await undo(renamed)
    await undo(made)
    expect((await root.raw(api.channels.get, { id })).success).toBeFalse()
  })

  test('all disabled ones deleted at once are one entry and come back together', async () => {
    const ids = [await makeChannel('off one'), await makeChannel('off two')]
    for (const id of ids) await root.call(api.channels.update, { id, status: 2 })
    await root.call(api.channels.removeDisabled, {})
    const entry = await newest('channel')
    expect(entry).toMatchObject({ count: 2, after: null, target: ids.join(',') })
    await undo(entry)
    for (const id of ids) expect((await root.call(api.channels.get, { id })).status).toBe(2)
  })

  test('a batch is one entry and one undo', async () => {
    const ids = [await makeChannel('batch one'), await makeChannel('batch two')]
    await root.call(api.channels.batch, { ids, change: { priority: 8 } })
    const entry = await newest('channel')
    expect(entry).toMatchObject({ count: 2, before: { [String(ids[0])]: { priority: 0 } } })
    await undo(entry)
    for (const id of ids) expect((await root.call(api.channels.get, { id })).priority).toBe(0)
    await root.call(api.channels.removeBatch, { ids: ids.join(',') })
    await undo(await newest('channel'))
    for (const id of ids) expect((await root.call(api.channels.get, { id })).name).toMatch(/^batch/)
  })

  test('after thirty days what was deleted is gone for good', async () => {
    const id = await makeChannel('long gone')
    await root.call(api.channels.remove, { id })
    const entry = await newest('channel')
    app.time.now = Date.now() + 31 * 86_400_000
    const { forgetOldSecrets } = await import('#server/history/forget.ts')
    await forgetOldSecrets(app.ctx)
    app.time.now = null
    expect(await refusal(entry)).toContain('30 days')
    const { sealed } = await app.ctx.database.db
      .selectFrom('history_items')
      .select('sealed')
      .where('history_id', '=', entry.id)
      .executeTakeFirstOrThrow()
    expect(sealed).toBe('expired')
  })
})
