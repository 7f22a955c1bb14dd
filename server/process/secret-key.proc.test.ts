import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from './config.ts'
import { loadSecretKey } from './secret-key.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'switchyard-key-'))
const keyIn = (folder: string) => loadSecretKey(readConfig({ DATA_DIR: folder }))

describe('the generated secret key', () => {
  test('is made once, whole, for its owner alone, and nothing else is left in the folder', async () => {
    const folder = join(newFolder(), 'data')
    const key = await keyIn(folder)
    expect(key).toHaveLength(64)
    expect(await keyIn(folder)).toBe(key)
    expect(readdirSync(folder)).toEqual(['secret.key'])
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
  })

  test('is one and the same for all who start together', async () => {
    const folder = newFolder()
    const script = `
      import { readConfig } from './config.ts'
      import { loadSecretKey } from './secret-key.ts'
      console.log(await loadSecretKey(readConfig({ DATA_DIR: ${JSON.stringify(folder)} })))`
    const starting = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, '-e', script], { cwd: import.meta.dir, stderr: 'inherit' }),
    )
    const keys = await Promise.all(starting.map((one) => new Response(one.stdout).text()))
    expect(new Set(keys)).toEqual(new Set([readFileSync(join(folder, 'secret.key'), 'utf8')]))
    expect(readdirSync(folder)).toEqual(['secret.key'])
  })

  test.each(['', '\n', 'too short\n'])('is refused when only %j is left of it', async (content) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'secret.key'), content)
    await expect(keyIn(folder)).rejects.toThrow(/secret\.key.*at least 16 characters.*backup/s)
    expect(readFileSync(join(folder, 'secret.key'), 'utf8')).toBe(content)
  })
})
