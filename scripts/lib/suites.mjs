import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { bunBinary, toolEnvironment } from './bun.mjs'
import { isInterrupted } from './interruption.mjs'
import { inRoot } from './paths.mjs'
import { run } from './processes.mjs'
import { describeFailure, readReport } from './unit-report.mjs'

/** A runner that ends badly without naming a failed test has failed all the same. */
const result = (code, { passed = 0, failed = 0, flaky = [], broken = [] }) => ({
  passed,
  failed: code !== 0 && failed === 0 ? 1 : failed,
  flaky,
  broken,
})

/** Shows what a person wants to see of a run: everything but the tests that passed at once. */
function createReader() {
  let output = ''
  let rest = ''
  const show = (line) => {
    if (!line.startsWith('(pass)') || line.includes('(attempt ')) process.stderr.write(line)
  }
  return {
    read(text) {
      output += text
      const lines = (rest + text).split(/(?<=\n)/)
      rest = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '')
      for (const line of lines) show(line)
    },
    end() {
      show(rest)
      return output
    },
  }
}

const flakyIn = (output) => [...output.matchAll(/^\(pass\) (.*) \(attempt \d+\)/gm)].map(([, name]) => name)
/**
 * Tests wait for sockets and processes about half of their time, so there are two workers for a core. A worker reads the modules
 * of the server once, not for every file: what a test changes beyond its own app, it changes back.
 */
const workers = [`--parallel=${2 * availableParallelism()}`, '--no-isolate']

async function unitRun(files, env) {
  const report = inRoot('.cache', 'unit.xml')
  mkdirSync(inRoot('.cache'), { recursive: true })
  rmSync(report, { force: true })
  const reader = createReader()
  // Tests that start processes and cut connections share two cores with a browser: one more try distinguishes late from wrong.
  const flags = [...workers, '--timeout', '120000', '--retry', '2', '--reporter=junit', `--reporter-outfile=${report}`]
  const code = await run(bunBinary(), ['test', ...flags, ...files], {
    read: reader.read,
    env: { ...toolEnvironment(), ...env },
  })
  return { code, flaky: flakyIn(reader.end()), tests: existsSync(report) ? readReport(report) : [] }
}

/**
 * The runner tries a test again at once, among all the others, and never what is done before and after all tests of a file: a few
 * files that failed get another try by themselves. A runner that ended badly without naming a test gets one too, with all of its files.
 */
async function withSecondTry(first, all, env) {
  const failed = first.tests.filter(({ failure }) => failure !== undefined)
  const files = [...new Set(failed.map(({ file }) => file))]
  if (first.code === 0 || files.length > 3 || isInterrupted()) return first
  const isNamed = files.length > 0
  console.error(`\nOnce more: ${(isNamed ? files : all).join(', ')}`)
  const second = await unitRun(isNamed ? files.map((file) => `./${file}`) : all, env)
  const late = isNamed ? failed.map(describeFailure) : [`the runner ended with ${first.code}`]
  return {
    code: second.code,
    flaky: [...first.flaky, ...late, ...second.flaky],
    tests: [...(isNamed ? first.tests.filter(({ file }) => !files.includes(file)) : []), ...second.tests],
  }
}

export async function unitTests(folders, filters, env = {}) {
  const present = folders.filter((folder) => existsSync(inRoot(folder)))
  const files = filters.length > 0 ? filters : present.map((folder) => `./${folder}/`)
  const { code, flaky, tests } = await withSecondTry(await unitRun(files, env), files, env)
  const failed = tests.filter(({ failure }) => failure !== undefined)
  return result(code, {
    passed: tests.filter(({ skipped, failure }) => !skipped && failure === undefined).length,
    failed: failed.length,
    flaky,
    broken: failed.map(describeFailure),
  })
}

/** Tests that ended so, from Playwright's report, with what went wrong in their first try. */
const endedSo = (suites, wanted) =>
  suites.flatMap(({ suites: inner = [], specs = [] }) => [
    ...endedSo(inner, wanted),
    ...specs.flatMap(({ file, line, title, tests }) =>
      tests
        .filter(({ status }) => status === wanted)
        .map(({ results: [first] }) =>
          describeFailure({
            file: `e2e/${file}:${line}`,
            name: title,
            failure: first?.error?.message ?? 'it did not end',
          }),
        ),
    ),
  ])

export async function browserTests(filters, env) {
  const report = inRoot('.cache', 'e2e.json')
  mkdirSync(inRoot('.cache'), { recursive: true })
  rmSync(report, { force: true })
  const code = await run(process.execPath, [inRoot('node_modules/@playwright/test/cli.js'), 'test', ...filters], {
    env: { ...toolEnvironment(), ...env, TEST_BUN: bunBinary(), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    stdio: ['ignore', 2, 2],
  })
  if (!existsSync(report)) return result(code, {})
  const { stats, suites } = JSON.parse(readFileSync(report, 'utf8'))
  return result(code, {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    flaky: endedSo(suites, 'flaky'),
    broken: endedSo(suites, 'unexpected'),
  })
}
