import { join } from 'node:path'
import { chromiumEnvironment, quickChromiumEnvironment } from '../lib/chromium.mjs'
import { startMariaDb } from '../lib/mariadb.mjs'
import { startPostgres } from '../lib/postgres.mjs'
import { ensureWebBuilt } from '../lib/web-build.mjs'
import { runBrowserTests } from './browser-tests.mjs'
import { runUnitTests } from './unit-tests.mjs'

const onSqlite = (more) => (run) =>
  runUnitTests({ ...run, ...more, env: { ...run.env, TEST_SQLITE_MODEL: join(run.env.TMPDIR, 'model.db') } })

async function withServer(server, variable, run) {
  try {
    return await runUnitTests({ ...run, env: { ...run.env, [variable]: server.url } })
  } finally {
    await server.stop()
  }
}

/** No test of these kills this server, and nothing in it outlives the run: it need not write as if one could. */
const careless = { synchronous_commit: 'off', full_page_writes: 'off' }

const onPostgres = (more) => async (run) =>
  withServer(await startPostgres(careless), 'TEST_POSTGRES_URL', {
    ...run,
    ...more,
    timesFile: 'test-times-postgres.json',
  })

/** Old databases on MySQL, where there is a server for them. */
async function onMysql(run) {
  const server = await startMariaDb()
  if (!server) return { leftOut: 'there is no MariaDB on this machine (apt-get install mariadb-server).' }
  return withServer(server, 'TEST_MYSQL_URL', { ...run, isWhole: false })
}

const grep = ({ pattern }) => (pattern === undefined ? [] : ['--grep', pattern])
const specs = ({ isWhole, filters }) => (isWhole ? [] : filters)

const inBrowser = (findBrowser, argumentsOf) => async (run) => {
  const browser = await findBrowser()
  if (!browser) return { leftOut: 'there is no Chromium on this machine (apt-get install chromium-headless-shell).' }
  await ensureWebBuilt()
  return runBrowserTests({ ...run, args: [...specs(run), ...argumentsOf(run)], env: { ...run.env, ...browser } })
}

/** Continuous integration must not leave out what a person may. */
const findForSmoke = () =>
  process.env.TEST_CHROMIUM === 'required' ? chromiumEnvironment() : quickChromiumEnvironment()

/** Each suite brings what it needs and takes it away again. Its `flags` run it alone. */
export const suites = {
  sqlite: { title: 'tests on SQLite', flags: '', run: onSqlite({}) },
  postgres: { title: 'database tests on PostgreSQL', flags: '--postgres ', run: onPostgres({}) },
  proc: { title: 'processes on SQLite', flags: '--proc --sqlite ', run: onSqlite({ retries: 1 }) },
  'proc-postgres': { title: 'processes on PostgreSQL', flags: '--proc --postgres ', run: onPostgres({ retries: 1 }) },
  mysql: { title: 'imports from MySQL', flags: '--mysql ', run: onMysql },
  smoke: {
    title: 'most important journeys in the browser',
    flags: '--e2e ',
    run: inBrowser(findForSmoke, () => ['--grep', '@smoke']),
  },
  'e2e-rest': {
    title: 'other journeys in the browser',
    flags: '--e2e ',
    run: inBrowser(chromiumEnvironment, () => ['--grep-invert', '@smoke']),
  },
  e2e: { title: 'journeys in the browser', flags: '--e2e ', run: inBrowser(chromiumEnvironment, grep) },
}
