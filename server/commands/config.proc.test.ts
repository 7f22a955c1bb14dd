import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '#server/testing/eventually.ts'
import { runCommand } from '#server/testing/run-command.ts'
import { spawnServer } from '#server/testing/spawned-server.ts'
import { freshDatabaseUrl } from '#server/testing/test-database.ts'

const fileOf = (text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'switchyard-config-')), 'yard.yaml')
  writeFileSync(path, text)
  return path
}

const reference = (name: string): string => `\${${name}}`

test('a file is exported, planned and applied beside a running server, which follows', async () => {
  const databaseUrl = await freshDatabaseUrl()
  const server = await spawnServer({ DATABASE_URL: databaseUrl })
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: server.dataDir, PLANTED_KEY: 'planted-key-of-the-file' }
  const run = (...args: string[]) => runCommand(['config', ...args], env)

  const exported = await run('export')
  expect(exported.code).toBe(0)
  expect(await run('plan', fileOf(exported.output))).toMatchObject({ code: 0, output: 'No changes.\n' })

  const channel = `channels:\n  - {name: from-file, type: OpenAI, models: [gpt-4o], key: "${reference('PLANTED_KEY')}"}\n`
  const file = fileOf(`options: {SystemName: Filed Yard}\n${channel}`)
  const planned = await run('plan', file)
  expect(planned.code).toBe(2)
  expect(planned.output).toContain('~ option SystemName: value Switchyard → Filed Yard')
  expect(planned.output).toContain('+ channel from-file')
  expect(planned.output).not.toContain('planted')

  expect((await run('plan', fileOf(`${exported.output}# ${'x'.repeat(3_000_000)}\n`))).code).toBe(0)
  expect((await run('plan', fileOf('nonsense: 1\n'))).code).toBe(1)
  expect((await run('plan', '/nowhere.yaml')).code).toBe(1)
  expect((await runCommand(['config', 'plan', file], { ...env, LOG_LEVEL: 'nonsense' })).code).toBe(1)
  expect((await runCommand(['config', 'plan', file], { ...env, PLANTED_KEY: '' })).output).toContain(
    'PLANTED_KEY is not set',
  )

  const applied = await run('apply', file)
  expect(applied).toMatchObject({ code: 0, output: expect.stringContaining('2 changes made.') })
  expect(await run('apply', file)).toMatchObject({ code: 0, output: 'No changes.\n' })
  expect((await run('plan', file)).code).toBe(0)
  const name = async () => {
    const answer = (await (await fetch(`${server.url}/api/status`)).json()) as { data: { system_name: string } }
    return answer.data.system_name
  }
  await eventually(name, (shown) => shown === 'Filed Yard')
  server.kill('SIGTERM')
  await server.exited
})

test('a long export reaches a slow reader whole', async () => {
  const env = { DATABASE_URL: await freshDatabaseUrl(), DATA_DIR: mkdtempSync(join(tmpdir(), 'switchyard-config-')) }
  const prices = Array.from({ length: 10_000 }, (_, at) => `    model-number-${at}: 1`)
  const file = fileOf(`prices:\n  ModelRatio:\n${prices.join('\n')}\n`)
  expect((await runCommand(['config', 'apply', file], env)).code).toBe(0)
  const main = join(import.meta.dirname, '..', 'main.ts')
  const { DATABASE_URL: _, SECRET_KEY: __, ...inherited } = process.env
  const piped = Bun.spawn(['sh', '-c', '"$0" "$1" config export | (sleep 2; cat)', process.execPath, main], {
    env: { ...inherited, ...env },
    stdout: 'pipe',
  })
  const exported = await new Response(piped.stdout).text()
  expect(exported).toContain('model-number-9999: 1')
  expect(exported).toEndWith('channels: []\n')
})

test.skipIf(!existsSync('/dev/full'))('an export for which there is no room fails, and says so', async () => {
  const env = { DATABASE_URL: await freshDatabaseUrl(), DATA_DIR: mkdtempSync(join(tmpdir(), 'switchyard-config-')) }
  expect((await runCommand(['migrate'], env)).code).toBe(0)
  const exporting = Bun.spawn([process.execPath, join(import.meta.dirname, '..', 'main.ts'), 'config', 'export'], {
    env: { ...process.env, ...env },
    stdout: Bun.file('/dev/full'),
    stderr: 'pipe',
  })
  expect(await new Response(exporting.stderr).text()).toContain('could not be written whole')
  expect(await exporting.exited).toBe(1)
})

test('a command called wrongly says how', async () => {
  const wrong = await runCommand(['config', 'dance'])
  expect(wrong.output).toContain('Say export, plan or apply.')
  expect(wrong.output).toContain('Usage: switchyard config export | plan FILE | apply FILE')
})
