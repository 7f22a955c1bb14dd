import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { bunBinary, toolEnvironment } from '../lib/bun.mjs'
import { inRoot } from '../lib/paths.mjs'
import { run } from '../lib/processes.mjs'
import { createOutputReader } from './unit-output.mjs'
import { readReport } from './unit-report.mjs'

/**
 * Tests wait for sockets and processes about half of their time, so there are two workers for a core. A worker reads the modules
 * of the server once, not for every file: what a test changes beyond its own app, it changes back.
 */
const workers = [`--parallel=${2 * availableParallelism()}`, '--no-isolate']

/** Seconds by file from the last run: the slowest begin first, so that all workers end together. */
const timings = (name, isWhole) => [`--timings=${inRoot('.cache', name)}`, ...(isWhole ? ['--update-timings'] : [])]

const isFailed = ({ failure }) => failure !== undefined

/** A runner that ends badly without naming a failed test has failed all the same. */
function failuresOf({ code, tests, output }) {
  const failures = [...tests.filter(isFailed), ...output.broken]
  if (code === 0 || failures.length > 0) return failures
  return [{ file: '', name: undefined, failure: `The runner ended with ${code}.\n${output.lastWords}` }]
}

/** Runs tests in Bun. `retries` gives one that fails another try: it is then named, and neither passed nor failed. */
export async function runUnitTests({
  files,
  pattern,
  isWhole,
  env,
  progress,
  retries = 0,
  timesFile = 'test-times.json',
}) {
  const report = inRoot('.cache', 'unit.xml')
  mkdirSync(inRoot('.cache'), { recursive: true })
  rmSync(report, { force: true })
  const reader = createOutputReader({
    print: progress.print,
    count: (begun, tests) => progress.set(`file ${begun} of ${files.length}, ${tests} tests`),
  })
  const flags = [
    ...workers,
    ...timings(timesFile, isWhole),
    '--timeout=120000',
    `--retry=${retries}`,
    '--reporter=junit',
    `--reporter-outfile=${report}`,
    ...(pattern === undefined ? [] : [`--test-name-pattern=${pattern}`]),
  ]
  const code = await run(bunBinary(), ['test', ...flags, ...files.map((file) => `./${file}`)], {
    read: reader.read,
    env: { ...toolEnvironment(), ...env },
  })
  const output = reader.end()
  const { tests, seconds } = readReport(report)
  const failures = failuresOf({ code, tests, output })
  const ran = tests.filter(({ skipped }) => !skipped)
  const passed = ran.filter((test) => !isFailed(test)).length - output.late.length
  return { passed, failures, late: output.late, seconds, ranFiles: new Set(ran.map(({ file }) => file)) }
}
