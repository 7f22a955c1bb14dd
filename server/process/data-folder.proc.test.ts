import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mountSmallDisk } from '#server/testing/small-disk.ts'
import { onPostgres } from '#server/testing/test-database.ts'

const program = [process.execPath, join(import.meta.dirname, '..', 'main.ts')]
const isRoot = process.getuid?.() === 0
const stranger = 65_534
/** Root has every right; another user stands in. */
const withoutRights = isRoot ? ['setpriv', `--reuid=${stranger}`, '--clear-groups'] : []
const canTry = !isRoot || Bun.spawnSync([...withoutRights, ...program, '--version']).success

const places: string[] = []
afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true })
})

/** A folder that others find. */
function newPlace(): string {
  const place = mkdtempSync(join(isRoot ? '/tmp' : tmpdir(), 'switchyard-data-'))
  chmodSync(place, 0o755)
  places.push(place)
  return place
}

async function run(command: string, dataDir: string, before: readonly string[] = []) {
  const { DATABASE_URL: _, SECRET_KEY: __, ...inherited } = process.env
  const env = { ...inherited, DATA_DIR: dataDir, PORT: '0', BUN_CONFIG_MAX_HTTP_REQUESTS: '65336' }
  const child = Bun.spawn([...before, ...program, command], { env, stdout: 'ignore', stderr: 'pipe' })
  const output = await new Response(child.stderr).text()
  return { code: await child.exited, output }
}

const rightIsMissing = (place: string) =>
  ` may not read and write ${place}. Give this user the right to, or set DATA_DIR to another folder.\n`

describe.skipIf(onPostgres)('a data folder that cannot be used is named, with the reason and what to do', () => {
  test.if(canTry).each(['', 'below'])('where this user has no right to it (%p)', async (name) => {
    const foreign = join(newPlace(), 'foreign')
    mkdirSync(foreign, { mode: 0o555 })
    const { code, output } = await run('serve', join(foreign, name), withoutRights)
    expect(output).toStartWith(`serve failed: ${join(foreign, name || 'switchyard.db')} cannot be used: this user (`)
    expect(output).toEndWith(rightIsMissing(foreign))
    expect(code).toBe(1)
  })

  test.if(canTry).each(['secret.key', 'switchyard.db', 'switchyard.db.settlements'])(
    'where its %s is of another user',
    async (name) => {
      const folder = newPlace()
      writeFileSync(join(folder, name), '')
      chmodSync(join(folder, name), isRoot ? 0o600 : 0o000)
      if (isRoot) chownSync(folder, stranger, stranger)
      const { code, output } = await run('serve', folder, withoutRights)
      expect(output).toEndWith(rightIsMissing(join(folder, name)))
      expect(code).toBe(1)
    },
  )

  test.each(['', 'below'])('where a file stands in its place (%p)', async (name) => {
    const file = join(newPlace(), 'file')
    writeFileSync(file, '')
    expect(await run('serve', join(file, name))).toEqual({
      code: 1,
      output: `serve failed: ${join(file, name)} cannot be used: a file stands where a folder should. Move it away, or set DATA_DIR to another folder.\n`,
    })
  })

  // What is skipped takes nothing away afterwards.
  const disk = onPostgres ? null : mountSmallDisk(1)
  afterAll(() => disk?.remove())

  test.skipIf(!disk)('where its disk is full, or nearly', async () => {
    const folder = disk?.folder ?? ''
    const expectNamed = ({ code, output }: Awaited<ReturnType<typeof run>>) => {
      expect(output).toContain(`cannot be used: there is no room on the disk of ${folder}`)
      expect(output).toContain('Make room there, or set DATA_DIR to another folder.')
      expect(code).toBe(1)
    }
    disk?.fill()
    for (const command of ['serve', 'migrate']) expectNamed(await run(command, folder))
    disk?.clear()
    writeFileSync(join(folder, 'others'), Buffer.alloc(700_000))
    expectNamed(await run('serve', folder))
  })
})
