import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { bunBinary, toolEnvironment } from '../lib/bun.mjs'
import { inRoot } from '../lib/paths.mjs'
import { run } from '../lib/processes.mjs'

/** Every journey of Playwright's report, with what went wrong in its first try. A journey that needed a second one has failed. */
const journeysOf = (suites) =>
  suites.flatMap(({ suites: inner = [], specs = [] }) => [
    ...journeysOf(inner),
    ...specs.flatMap(({ file, line, title, tests }) =>
      tests.map(({ status, results }) => ({
        file: `e2e/${file}`,
        line,
        name: title,
        skipped: status === 'skipped',
        seconds: results.reduce((sum, { duration }) => sum + duration / 1000, 0),
        failure: ['expected', 'skipped'].includes(status)
          ? undefined
          : (results[0]?.error?.message ?? 'it did not end'),
      })),
    ),
  ])

function secondsByFile(journeys) {
  const sums = new Map()
  for (const { file, seconds } of journeys) sums.set(file, (sums.get(file) ?? 0) + seconds)
  return Object.fromEntries(sums)
}

/** Shows what Playwright prints of failures; its line for each journey becomes our progress. */
function createReader(progress) {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [, at, all] = /^\[(\d+)\/(\d+)\] /.exec(line) ?? []
      if (at) progress.set(`journey ${at} of ${all}`)
      else if (line.trim() !== '') progress.print(`${line}\n`)
    }
  }
}

/** Runs journeys in the browser. */
export async function runBrowserTests({ args, env, progress }) {
  const report = inRoot('.cache', 'e2e.json')
  mkdirSync(inRoot('.cache'), { recursive: true })
  rmSync(report, { force: true })
  const cli = inRoot('node_modules/@playwright/test/cli.js')
  const code = await run(process.execPath, [cli, 'test', '--reporter=line,json', ...args], {
    env: { ...toolEnvironment(), ...env, TEST_BUN: bunBinary(), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    read: createReader(progress),
  })
  const { suites = [], errors = [] } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
  const journeys = journeysOf(suites)
  const failures = [
    ...journeys.filter(({ failure }) => failure !== undefined),
    ...errors.map(({ message }) => ({ file: 'e2e', name: undefined, failure: message })),
  ]
  return {
    passed: journeys.filter(({ skipped, failure }) => !skipped && failure === undefined).length,
    failures:
      code !== 0 && failures.length === 0
        ? [{ file: 'e2e', name: undefined, failure: `Playwright ended with ${code}.` }]
        : failures,
    late: [],
    seconds: secondsByFile(journeys),
    ranFiles: new Set(journeys.filter(({ skipped }) => !skipped).map(({ file }) => file)),
  }
}
