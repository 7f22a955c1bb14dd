import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import type { RelayScene } from '#server/testing/relay-scene.ts'
import { newFolder, runCommand } from '#server/testing/run-command.ts'
import { startServingFolder } from '#server/testing/serving-folder.ts'
import { mountSmallDisk } from '#server/testing/small-disk.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { onPostgres } from '#server/testing/test-database.ts'

/** Requests one after another, on several connections, until stopped. */
function load(scene: RelayScene): { stop(): Promise<number> } {
  let running = true
  const connection = async () => {
    let answered = 0
    while (running) {
      const answer = await scene.chat()
      await answer.arrayBuffer()
      if (answer.status === 200) answered += 1
    }
    return answered
  }
  const all = Promise.all(Array.from({ length: 8 }, connection))
  return {
    async stop() {
      running = false
      return (await all).reduce((sum, count) => sum + count, 0)
    },
  }
}

const settled = async ({ ctx }: Pick<RelayScene['app'], 'ctx'>): Promise<number> => {
  const { db } = ctx.database
  const counted = db
    .selectFrom('ledger_entries')
    .select(db.fn.countAll<number>().as('count'))
    .where('kind', '=', 'settle')
  return (await counted.executeTakeFirstOrThrow()).count
}

test.skipIf(onPostgres)(
  'a backup made under load comes back with every balance proven and every key usable',
  async () => {
    const { scene, dataDir } = await startServingFolder()
    const requests = load(scene)
    while ((await settled(scene.app)) < 20) await Bun.sleep(5)
    const folder = newFolder()
    const made = await runCommand(['backup', folder], { DATA_DIR: dataDir })
    expect(made).toMatchObject({ code: 0 })
    const answered = await requests.stop()
    const inTheEnd = await settled(scene.app)
    await scene.stop()
    expect(inTheEnd).toBe(answered)

    const restored = newFolder()
    expect(await runCommand(['restore', folder], { DATA_DIR: restored })).toMatchObject({
      code: 0,
      output: expect.stringContaining('0 balances drift'),
    })
    const app = await startTestApp({ databaseUrl: `sqlite:${restored}/switchyard.db` })
    const kept = await settled(app)
    expect(kept).toBeGreaterThanOrEqual(20)
    expect(kept).toBeLessThan(inTheEnd)
    expect(await reconcile(app.ctx.database.db)).toEqual([])
    const models = await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer ${scene.key}` } })
    expect(models.status).toBe(200)
    await app.stop()
  },
)

test.skipIf(onPostgres)(
  'a copy of the data folder made by hand comes back with all that lies beside its database',
  async () => {
    const { scene, dataDir } = await startServingFolder()
    for (let turn = 0; turn < 5; turn++) await (await scene.chat()).arrayBuffer()
    const copy = newFolder()
    cpSync(dataDir, copy, { recursive: true })
    const restored = newFolder()
    expect(await runCommand(['restore', copy], { DATA_DIR: restored })).toMatchObject({ code: 0 })
    expect(readdirSync(restored).sort()).toEqual(['secret.key', 'switchyard.db'])
    const app = await startTestApp({ databaseUrl: `sqlite:${restored}/switchyard.db` })
    expect(await settled(app)).toBe(await settled(scene.app))
    await app.stop()
    await scene.stop()
  },
)

test.skipIf(onPostgres)('a backup is for its owner’s eyes and takes no folder that is in use', async () => {
  const { scene, dataDir } = await startServingFolder()
  await scene.stop()
  const folder = newFolder()
  await runCommand(['backup', folder], { DATA_DIR: dataDir })
  expect(readdirSync(folder).sort()).toEqual(['secret.key', 'switchyard.db'])
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(dirname(folder))).toEqual(['data'])
  const again = await runCommand(['backup', folder], { DATA_DIR: dataDir })
  expect(again.output).toContain('is not empty')
  expect(again.code).toBe(1)
  rmSync(join(dataDir, 'secret.key'))
  const keyless = await runCommand(['backup', newFolder()], { DATA_DIR: dataDir })
  expect(keyless.output).toContain(`There is no secret.key in ${dataDir}`)
  const elsewhere = await runCommand(['backup', newFolder()], { DATA_DIR: newFolder() })
  expect(elsewhere.output).toContain('There is no database')
  expect(elsewhere.code).toBe(1)
})

test.skipIf(onPostgres)(
  'a backup removes nothing but an empty folder and what an interrupted backup left',
  async () => {
    const { scene, dataDir } = await startServingFolder()
    await scene.stop()
    const folder = newFolder()
    mkdirSync(`${folder}.partial`)
    writeFileSync(join(`${folder}.partial`, 'thesis.txt'), 'two years')
    const beside = await runCommand(['backup', folder], { DATA_DIR: dataDir })
    expect(beside).toMatchObject({ code: 1, output: expect.stringContaining('holds thesis.txt') })
    expect(readdirSync(`${folder}.partial`)).toEqual(['thesis.txt'])

    renameSync(join(`${folder}.partial`, 'thesis.txt'), join(`${folder}.partial`, 'switchyard.db-journal'))
    mkdirSync(folder)
    expect(await runCommand(['backup', folder], { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
    expect(readdirSync(dirname(folder))).toEqual(['data'])

    const file = newFolder()
    writeFileSync(file, 'a file')
    expect(await runCommand(['backup', file], { DATA_DIR: dataDir })).toMatchObject({
      code: 1,
      output: expect.stringContaining('Name a folder that does not exist yet'),
    })
  },
)

test.skipIf(onPostgres)('where a disk is mounted no backup is begun, in a folder on it one is made', async () => {
  const disk = mountSmallDisk(8)
  if (disk === null) return
  const { scene, dataDir } = await startServingFolder()
  await scene.stop()
  const { code, output } = await runCommand(['backup', disk.folder], { DATA_DIR: dataDir })
  const onIt = await runCommand(['backup', join(disk.folder, 'switchyard')], { DATA_DIR: dataDir })
  disk.remove()
  expect({ code, onIt: onIt.code }).toEqual({ code: 1, onIt: 0 })
  expect(output).toContain(`${disk.folder} cannot become the backup`)
})

test.skipIf(onPostgres)('what cannot be restored is refused, and nothing is written', async () => {
  const { scene, dataDir } = await startServingFolder()
  await scene.stop()
  const folder = newFolder()
  await runCommand(['backup', folder], { DATA_DIR: dataDir })
  const used = await runCommand(['restore', folder], { DATA_DIR: dataDir })
  expect(used.output).toContain('already holds data')
  expect(used.code).toBe(1)

  const target = newFolder()
  const otherKey = await runCommand(['restore', folder], { DATA_DIR: target, SECRET_KEY: 'somebody else’s secret' })
  expect(otherKey.output).toContain('does not open')
  expect(otherKey.code).toBe(1)
  writeFileSync(join(folder, 'switchyard.db'), 'not a database, but as long as one would like it to be'.repeat(100))
  expect(await runCommand(['restore', folder], { DATA_DIR: target })).toMatchObject({ code: 1 })
  const empty = await runCommand(['restore', newFolder()], { DATA_DIR: target })
  expect(empty.output).toContain('this is no backup')
  expect(empty.code).toBe(1)
  expect(existsSync(target)).toBeFalse()
})

test.skipIf(onPostgres)(
  'a backup of another version, another program or with a foreign key changes nothing',
  async () => {
    const dataDir = newFolder()
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'secret.key'), 'a secret key for tests\n')
    // As after a first start: no channel and no token is sealed.
    const app = await startTestApp({ databaseUrl: `sqlite:${dataDir}/switchyard.db` })
    await app.stop()
    const target = newFolder()
    const refused = async (change: (database: Sqlite, folder: string) => void) => {
      const folder = newFolder()
      cpSync(dataDir, folder, { recursive: true })
      const database = new Sqlite(join(folder, 'switchyard.db'))
      change(database, folder)
      database.close()
      const { code, output } = await runCommand(['restore', folder], { DATA_DIR: target })
      expect({ code, written: existsSync(target) }).toEqual({ code: 1, written: false })
      return output
    }
    expect(
      await refused((_, folder) => writeFileSync(join(folder, 'secret.key'), 'the key of quite another server')),
    ).toContain('does not open')
    expect(await refused((database) => database.run("insert into migrations values ('9999-later')"))).toContain(
      'of a newer version: it knows 9999-later',
    )
    expect(await refused((database) => database.run('drop table migrations'))).toContain('no database of Switchyard')
    const rest = `${newFolder()}.db`
    writeFileSync(`${rest}.settlements`, 'of the database that was here')
    const beside = await runCommand(['restore', dataDir], { DATA_DIR: target, DATABASE_URL: `sqlite:${rest}` })
    expect(beside).toMatchObject({ code: 1, output: expect.stringContaining('.settlements already holds data') })
    expect([rest, target].map((place) => existsSync(place))).toEqual([false, false])
  },
)

test('with PostgreSQL the command names the tool to use', async () => {
  const env = { DATABASE_URL: 'postgres://relay:hidden@db.example.com/relay', DATA_DIR: newFolder() }
  const made = await runCommand(['backup', newFolder()], env)
  expect(made.code).toBe(1)
  expect(made.output).toContain('pg_dump --format=custom --file=switchyard.dump "$DATABASE_URL"')
  expect(made.output).not.toContain('hidden')
})
