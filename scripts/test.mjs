/** What `npm test` runs: the lanes for people, or those that are named. Ends with `N passed, N failed`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './lib/install.mjs'
import { isInterrupted, noticeInterruption } from './lib/interruption.mjs'
import { fail } from './lib/processes.mjs'
import { readArguments } from './test/arguments.mjs'
import { createProgress } from './test/progress.mjs'
import { selectSuites } from './test/selection.mjs'
import { suites } from './test/suites.mjs'
import { summarise } from './test/summary.mjs'
import { findTests, laneOf } from './test/test-files.mjs'

const nothing = { passed: 0, failures: [], late: [], seconds: {}, ranFiles: new Set() }
const brokenRun = (failure) => ({ ...nothing, failures: [{ file: '', name: undefined, failure }] })

const lanesOf = (files) => new Set([...files].map(laneOf))

/** A lane in which nothing ran has shown nothing. */
function refuseEmpty(result, files) {
  const empty = [...lanesOf(files)].filter((lane) => !lanesOf(result.ranFiles).has(lane))
  const sentences = empty.map((lane) => ({
    file: '',
    name: undefined,
    failure: `No test of the lane ${lane} was run.`,
  }))
  return result.leftOut || result.failures.length > 0 ? result : { ...result, failures: sentences }
}

async function runSuite({ name, files }, run) {
  const { title, flags, run: start } = suites[name]
  if (files.length === 0) return { ...brokenRun(`There are no ${title}.`), title, flags }
  const progress = createProgress(title)
  const ended = await start({ ...run, files, progress }).catch((error) => brokenRun(String(error?.stack ?? error)))
  const result = { ...nothing, ...ended }
  progress.end(result.leftOut ? 'left out' : `${result.passed} passed, ${result.failures.length} failed`)
  return { ...(run.isWhole ? refuseEmpty(result, files) : result), title, flags }
}

function removeFolder(folder) {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    console.error(`${folder} could not be removed: ${error.message}`)
  }
}

const { asked, filters, pattern, problem } = readArguments(process.argv.slice(2))
if (problem) fail(problem)
const selection = selectSuites({ asked, filters }, findTests())
if (selection.problem) fail(selection.problem)

noticeInterruption()
await ensureInstalled()
const folder = mkdtempSync(join(tmpdir(), 'switchyard-test-'))
const isWhole = filters.length === 0 && pattern === undefined
const runs = asked.has('all') ? { PROPERTY_RUNS: process.env.PROPERTY_RUNS ?? 'full' } : {}
const run = { filters, pattern, isWhole, env: { ...runs, TMPDIR: folder } }
const results = []
for (const suite of selection.suites) {
  if (!isInterrupted()) results.push(await runSuite(suite, run))
}
removeFolder(folder)

const { text, passed, failed } = summarise(results)
if (text !== '') console.error(`\n${text}\n`)
if (passed + failed === 0) console.error('No test was run.')
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = isInterrupted() || failed > 0 || passed === 0 ? 1 : 0
