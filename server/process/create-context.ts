import { openLedger } from '#server/billing/ledger/open-ledger.ts'
import type { Context } from '#server/context.ts'
import { type AnyDatabase, openDatabase, type StatementTimeouts } from '#server/db/database.ts'
import { askClock } from '#server/db/database-clock.ts'
import { createGoneReport } from '#server/db/database-gone.ts'
import { migrate } from '#server/db/migrate.ts'
import { reached } from '#server/db/unusable.ts'
import { createWriteProbe } from '#server/db/write-probe.ts'
import { createChangeFeed } from '#server/lib/changes.ts'
import { createLogger } from '#server/lib/log.ts'
import { randomHex } from '#server/lib/random.ts'
import { createSecretBox, type SecretBox } from '#server/lib/secret-box.ts'
import { createCalendar } from '#server/lib/time/calendar.ts'
import { createSharedClock, steadyNow } from '#server/lib/time/shared-clock.ts'
import { version } from '#server/version.ts'
import type { Config } from './config.ts'
import { createOptionsCache } from './options-cache.ts'
import { refuseOtherKey, requireSameKey } from './secret-check.ts'

/** What differs between a serving node, a command and a test. */
export interface World {
  readonly clock?: () => number
  readonly fetch?: typeof fetch
  readonly timeouts?: StatementTimeouts
}

/** Builds a node from its configuration: database migrated, caches warm, nothing listening yet. */
export async function createContext(config: Config, secretKey: string, world: World = {}): Promise<Context> {
  const secrets = createSecretBox(secretKey)
  const database = await openMigrated(config.DATABASE_URL, secrets, world.timeouts)
  return assemble(config, database, secrets, world)
}

/** Migrations run without a timeout. */
async function openMigrated(
  url: string,
  secrets: SecretBox,
  timeouts: StatementTimeouts | undefined,
): Promise<AnyDatabase> {
  const database = openDatabase(url)
  await reached(refuseOtherKey(database.db, secrets))
  await migrate(database)
  if (database.engine === 'sqlite' || !timeouts) return database
  await database.close()
  return openDatabase(url, timeouts)
}

async function assemble(config: Config, database: AnyDatabase, secrets: SecretBox, world: World): Promise<Context> {
  const nodeId = randomHex(16)
  const log = createLogger(config.LOG_LEVEL)
  const changes = createChangeFeed()
  await requireSameKey(database.db, secrets)
  const options = await createOptionsCache({ database, secrets, changes, log })
  // Where the database's clock is followed, a step of the machine's would count until it is asked again.
  const shared = createSharedClock(database.engine === 'postgres' ? steadyNow : Date.now)
  const followClock = world.clock ? () => {} : shared.follow
  const clock = world.clock ?? shared.now
  if (database.engine === 'postgres') await askClock(database.pool, followClock)
  return {
    config,
    version,
    nodeId,
    startedAt: Math.floor(clock() / 1000),
    database,
    writes: createWriteProbe(database),
    secrets,
    changes,
    ledger: openLedger(
      { database, nodeId, log },
      createCalendar(() => options.current().TimeZone),
    ),
    log,
    reportGone: createGoneReport(log),
    options: options.current,
    refreshOptions: options.refresh,
    followClock,
    clock,
    fetch: world.fetch ?? fetch,
  }
}
