import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder, runCommand } from '#server/testing/run-command.ts'
import { spawnServer } from '#server/testing/spawned-server.ts'
import { onPostgres } from '#server/testing/test-database.ts'

test('a file that is no database is named, whatever is to be done with it', async () => {
  const dataDir = newFolder()
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'switchyard.db'), 'no database, but as long as one would be. '.repeat(100))
  const folder = join(dataDir, 'folder')
  mkdirSync(folder)
  for (const [file, command] of [
    [join(dataDir, 'switchyard.db'), 'serve'],
    [folder, 'serve'],
    [folder, 'reconcile'],
  ] as const) {
    const refused = await runCommand([command], { DATA_DIR: dataDir, DATABASE_URL: `sqlite:${file}`, PORT: '0' })
    expect(refused.output).toStartWith(`${command} failed: ${file} cannot be used: `)
    expect(refused.code).toBe(1)
  }
})

const folderOf = (dataDir: string) => ({ DATA_DIR: dataDir, DATABASE_URL: `sqlite:${join(dataDir, 'switchyard.db')}` })

test.skipIf(onPostgres)(
  'a second process on one SQLite file is refused, and let in once the first is dead',
  async () => {
    const first = await spawnServer({ DATABASE_URL: '' })
    const place = folderOf(first.dataDir)
    const second = await runCommand(['serve'], { ...place, PORT: '0', BUN_CONFIG_MAX_HTTP_REQUESTS: '65336' })
    expect(second.code).toBe(1)
    expect(second.output).toContain('Another process already serves')
    expect(second.output).toContain('PostgreSQL')

    first.kill('SIGKILL')
    await first.exited
    const third = await spawnServer(place)
    expect((await fetch(`${third.url}/readyz`)).status).toBe(200)
    third.kill('SIGTERM')
    expect(await third.exited).toBe(0)
  },
)
