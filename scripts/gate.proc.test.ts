import { expect, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The gate in a folder of its own, with an `npm` and a `node` that end as they are bid. */
async function runGate({ check = 0, fast = '', rest = '' }): Promise<{ last: string; code: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-gate-'))
  mkdirSync(join(folder, 'bin'))
  cpSync(join(root, '.ci', 'run'), join(folder, '.ci', 'run'))
  const program = (name: string, text: string) => {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  const saying = (line: string) => `echo '${line}'; exit ${line.endsWith(' 0 failed') ? 0 : 1}`
  program('npm', `case "$*" in *check*) exit ${check};; *) ${saying(fast)};; esac`)
  program('node', saying(rest))
  const child = Bun.spawn(['bash', join(folder, '.ci', 'run')], {
    env: { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const lines = (await new Response(child.stdout).text()).trim().split('\n')
  return { last: lines.at(-1) ?? '', code: await child.exited }
}

test.each([
  ['both passed', { fast: '10 passed, 0 failed', rest: '5 passed, 0 failed' }, '15 passed, 0 failed', 0],
  ['the first failed', { fast: '10 passed, 1 failed', rest: '5 passed, 0 failed' }, '15 passed, 1 failed', 1],
  ['the second failed', { fast: '10 passed, 0 failed', rest: '5 passed, 3 failed' }, '15 passed, 3 failed', 1],
  ['one broke off', { fast: '10 passed, 0 failed', rest: '' }, '10 passed, 1 failed', 1],
  ['the check failed', { check: 1 }, '0 passed, 1 failed', 1],
])('the gate ends with the sum of all tests where %s', async (_, parts, last, code) => {
  expect(await runGate(parts)).toEqual({ last, code })
})
