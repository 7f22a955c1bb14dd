/** What `npm test` runs: every suite, with the database and the browser they need. Ends with `N passed, N failed`. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromiumEnvironment } from './lib/chromium.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { isInterrupted, noticeInterruption } from './lib/interruption.mjs'
import { startMariaDb } from './lib/mariadb.mjs'
import { inRoot } from './lib/paths.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { browserTests, unitTests } from './lib/suites.mjs'
import { ensureWebBuilt } from './lib/web-build.mjs'

const hasBrowserTests = () =>
  existsSync(inRoot('e2e')) && readdirSync(inRoot('e2e')).some((name) => name.endsWith('.spec.ts'))

/** Each suite brings what it needs and takes it away again. */
const suites = {
  sqlite: (filters, env) =>
    unitTests(['shared', 'server', 'web', 'scripts', 'bench'], filters, {
      ...env,
      TEST_SQLITE_MODEL: join(env.TMPDIR, 'model.db'),
    }),
  async postgres(filters, env) {
    const database = await startPostgres()
    try {
      return await unitTests(['server', 'bench'], filters, { ...env, TEST_POSTGRES_URL: database.url })
    } finally {
      await database.stop()
    }
  },
  /** Old databases on MySQL, where there is a server for them. */
  async mysql(filters, env) {
    const database = await startMariaDb()
    if (!database) {
      console.error('No MariaDB on this machine: imports from MySQL are not tried.')
      return { passed: 0, failed: 0, flaky: [] }
    }
    try {
      return await unitTests(['server/import'], filters, { ...env, TEST_MYSQL_URL: database.url })
    } finally {
      await database.stop()
    }
  },
  async e2e(filters, env) {
    if (!hasBrowserTests()) return { passed: 0, failed: 0, flaky: [] }
    await ensureWebBuilt()
    return browserTests(filters, { ...env, ...(await chromiumEnvironment()) })
  },
}

const args = process.argv.slice(2)
const asked = Object.keys(suites).filter((name) => args.includes(`--${name}`))
const filters = args.filter((arg) => !Object.hasOwn(suites, arg.replace(/^--/, '')))
const total = { passed: 0, failed: 0 }
const flaky = []
const broken = []
/** A late test now and then is a busy machine; more than this is a fault. */
const flakyMax = 8

noticeInterruption()
await ensureInstalled()
const folder = mkdtempSync(join(tmpdir(), 'switchyard-test-'))
for (const name of asked.length > 0 ? asked : Object.keys(suites)) {
  if (isInterrupted()) break
  const began = Date.now()
  console.error(`\n== ${name}`)
  const {
    passed,
    failed,
    flaky: late,
    broken: wrong = [],
  } = await suites[name](filters, { TMPDIR: folder }).catch((error) => {
    console.error(error)
    return { passed: 0, failed: 1, flaky: [] }
  })
  console.error(`== ${name}: ${passed} passed, ${failed} failed in ${Math.round((Date.now() - began) / 1000)} s`)
  total.passed += passed
  total.failed += failed
  flaky.push(...late)
  broken.push(...wrong)
}
try {
  rmSync(folder, { recursive: true, force: true })
} catch (error) {
  console.error(`${folder} could not be removed: ${error.message}`)
}
if (broken.length > 0) console.error(`Failed (${broken.length}):\n  ${broken.join('\n  ')}`)
if (flaky.length > 0) console.error(`Did not pass on their first try (${flaky.length}):\n  ${flaky.join('\n  ')}`)
if (flaky.length > flakyMax) {
  console.error(`More than ${flakyMax} tests needed another try: the run has failed.`)
  total.failed += 1
}
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = isInterrupted() || total.failed > 0 || total.passed === 0 ? 1 : 0
