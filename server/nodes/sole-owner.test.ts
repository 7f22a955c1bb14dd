import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { runCommand } from '#server/testing/run-command.ts'
import { spawnServer } from '#server/testing/spawned-server.ts'
import { onPostgres } from '#server/testing/test-database.ts'

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
