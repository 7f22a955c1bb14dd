import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
setDefaultTimeout(60_000)

/** It fails, since the runner prints what failed tests say. */
const asTest = `import { test } from 'bun:test'
const words = ['sees', String(process.env.DATABASE_URL)].join(' ')
test('it', () => { throw new Error(words) })`

const runsTests = `import { runUnitTests } from './test/unit-tests.mjs'
const progress = { print: (text) => console.log(text), set() {} }
await runUnitTests({ files: ['server/it.test.ts'], isWhole: false, env: {}, progress })`

/** A clone with an `.env` in it and little else, started there or in a folder with another; what it prints of the address. */
async function seenBy(command: readonly string[], elsewhere = false): Promise<string | undefined> {
  const clone = mkdtempSync(join(tmpdir(), 'switchyard-dot-env-'))
  const other = mkdtempSync(join(tmpdir(), 'switchyard-dot-env-'))
  try {
    for (const part of ['bin', 'scripts/lib', 'scripts/test', 'scripts/run.mjs', 'server/process/runtime-settings.mjs'])
      cpSync(join(root, part), join(clone, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
    const prints = "console.log('sees', process.env.DATABASE_URL)"
    const starts = `Bun.spawnSync([process.execPath, 'server/main.ts'], { stdio: ['ignore', 'inherit', 'inherit'] })`
    const files = {
      '.env': 'DATABASE_URL=postgres://the-real-one',
      'server/main.ts': prints,
      'server/it.test.ts': asTest,
      'scripts/tool.ts': starts,
      'scripts/suite.mjs': runsTests,
    }
    for (const [path, text] of Object.entries(files)) writeFileSync(join(clone, path), text)
    writeFileSync(join(other, '.env'), 'DATABASE_URL=postgres://of-another-project')
    const [program = '', ...args] = command
    const { BUN_OPTIONS: _, DATABASE_URL: __, ...env } = process.env
    const child = Bun.spawn(['node', join(clone, program), ...args], {
      cwd: elsewhere ? other : clone,
      env,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    return /sees (\S+)/.exec(out + err)?.[1]
  } finally {
    for (const folder of [clone, other]) rmSync(folder, { recursive: true, force: true })
  }
}

test.each(['scripts/run.mjs server/main.ts', 'bin/switchyard.mjs'])(
  'the program takes the variables of .env beside package.json (%s)',
  async (line) => {
    expect(await seenBy(line.split(' '))).toBe('postgres://the-real-one')
  },
)

test('the installed program takes no variables of an .env in the folder it is started in', async () => {
  expect(await seenBy(['bin/switchyard.mjs'], true)).toBe('undefined')
})

test.each([['tools', ['scripts/run.mjs', 'scripts/tool.ts']] as const, ['tests', ['scripts/suite.mjs']] as const])(
  'no %s, nor what they start, take them for their own',
  async (_, command) => {
    expect(await seenBy(command)).toBe('undefined')
  },
)
