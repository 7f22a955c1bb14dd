import { Database as Sqlite } from 'bun:sqlite'
import { afterEach, describe, expect, test } from 'bun:test'
import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { importInto } from '#server/testing/import-scene.ts'
import { insertRow } from '#server/testing/old-database.ts'
import { oneApiDatabase } from '#server/testing/one-api/create.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { follow } from './follow-loop.ts'
import { createReport } from './report.ts'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop()
})

const pageSize = 4096

/** A file of a few hundred pages, with an index as the program makes them; undefined on engines that keep no files. */
async function scene() {
  const old = await oneApiDatabase({ version: '0.6.4', upstream: 'http://127.0.0.1:1' })
  if (old.address.includes('://')) return undefined
  const row = { user_id: 2, created_at: 1_710_000_000, type: 2, content: 'x'.repeat(500), quota: 7 }
  await old.run((engine) => [
    'begin',
    ...Array.from({ length: 600 }, (_, at) => insertRow(engine, 'logs', { id: 1000 + at, ...row })),
    'create index idx_users_name on users (username)',
    'commit',
  ])
  const app = await borrowApp()
  opened.push(app)
  return { app, file: old.address }
}

const rootPage = (file: string, name: string): number => {
  using sqlite = new Sqlite(file, { readonly: true })
  const found = sqlite
    .query<{ rootpage: number }, [string]>('select rootpage from sqlite_master where name = ?')
    .get(name)
  return found?.rootpage ?? 0
}

function overwrite(file: string, at: number, bytes: Uint8Array): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, at)
  closeSync(handle)
}

const usersOf = ({ ctx }: TestApp) => ctx.database.db.selectFrom('users').selectAll().execute()

describe('a file whose bytes were overwritten', () => {
  const noise = new Uint8Array(pageSize).map((_, at) => (at * 97 + 31) % 251)
  const damages: Readonly<Record<string, (file: string) => void>> = {
    'in the middle of its log rows': (file) => overwrite(file, Math.floor(statSync(file).size / 2), noise),
    'with zeros': (file) => overwrite(file, statSync(file).size - 8 * pageSize, new Uint8Array(2 * pageSize)),
    'in an index alone': (file) =>
      overwrite(file, (rootPage(file, 'idx_users_name') - 1) * pageSize + 3900, noise.slice(0, 150)),
    'by being cut off': (file) => truncateSync(file, Math.floor(statSync(file).size * 0.6)),
  }
  for (const [where, damage] of Object.entries(damages)) {
    test(`${where} is refused with what to do, and nothing is written`, async () => {
      const made = await scene()
      if (!made) return
      const before = await usersOf(made.app)
      damage(made.file)
      await expect(importInto(made.app, { source: made.file })).rejects.toThrow(
        /the file is damaged \(.+\)\. .*\.recover/,
      )
      expect(await usersOf(made.app)).toEqual(before)
    })
  }

  test('is refused to whoever wants to follow it', async () => {
    const made = await scene()
    if (!made) return
    overwrite(made.file, (rootPage(made.file, 'tokens') - 1) * pageSize, noise)
    const following = { everyMs: 1, stop: AbortSignal.abort(), report: createReport(), say: () => {} }
    await expect(follow(made.app.ctx, { ...following, asked: { source: made.file } })).rejects.toThrow(
      'the file is damaged',
    )
  })

  test('is named where the bytes are text', async () => {
    const made = await scene()
    if (!made) return
    const at = Buffer.from(await Bun.file(made.file).bytes()).lastIndexOf('xxxxxxxx')
    overwrite(made.file, at, new Uint8Array([0xff, 0xfe, 0x81]))
    const { notes } = (await importInto(made.app, { source: made.file })).facts()
    expect(notes.find(({ reason }) => reason === 'text that is not in UTF-8')?.subjects).toHaveLength(1)
  })
})

test('a file that is no database is distinguished from one that is damaged', async () => {
  const made = await scene()
  if (!made) return
  await Bun.write(made.file, '-- a dump\n'.repeat(500))
  await expect(importInto(made.app, { source: made.file })).rejects.toThrow('Load a dump into a database first')
})

test('a database that has had its import takes nothing from another program', async () => {
  const made = await scene()
  if (!made) return
  const { app, file } = made
  await importInto(app, { source: file })
  await app.ctx.database.db
    .updateTable('meta')
    .set({ value: JSON.stringify({ at: 1, logsUntil: 9, program: 'new-api' }) })
    .where('key', '=', 'import')
    .execute()
  await expect(importInto(app, { source: file })).rejects.toThrow('has had its import, from new-api')
})
