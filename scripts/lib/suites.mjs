import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { bunBinary, bunEnvironment } from './bun.mjs'
import { inRoot } from './paths.mjs'
import { run } from './processes.mjs'

const sum = (output, word) =>
  [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, 'gm'))].reduce((total, [, count]) => total + Number(count), 0)

/** A runner that ends badly without naming a failed test has failed all the same. */
const result = (code, passed, failed) => ({ passed, failed: code !== 0 && failed === 0 ? 1 : failed })

export async function unitTests(folders, filters, env = {}) {
  const present = folders.filter((folder) => existsSync(inRoot(folder)))
  const files = filters.length > 0 ? filters : present.map((folder) => `./${folder}/`)
  let output = ''
  const read = (text) => {
    output += text
    process.stderr.write(text)
  }
  // Tests that start processes and cut connections share two cores with a browser: one more try tells late from wrong.
  const flags = ['--parallel', '--only-failures', '--timeout', '60000', '--retry', '1']
  const code = await run(bunBinary(), ['test', ...flags, ...files], { read, env: { ...bunEnvironment(), ...env } })
  return result(code, sum(output, 'pass'), sum(output, 'fail'))
}

export async function browserTests(filters, env) {
  const report = inRoot('.cache', 'e2e.json')
  mkdirSync(inRoot('.cache'), { recursive: true })
  rmSync(report, { force: true })
  const code = await run(process.execPath, [inRoot('node_modules/@playwright/test/cli.js'), 'test', ...filters], {
    env: { ...bunEnvironment(), ...env, TEST_BUN: bunBinary(), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    stdio: ['ignore', 2, 2],
  })
  if (!existsSync(report)) return result(code, 0, 0)
  const { stats } = JSON.parse(readFileSync(report, 'utf8'))
  return result(code, stats.expected + stats.flaky, stats.unexpected)
}
