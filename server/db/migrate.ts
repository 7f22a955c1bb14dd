import { type Kysely, sql } from 'kysely'
import type { AnyDatabase, Db, Engine, Tx } from './database.ts'
import * as initial from './migrations/0001-initial.ts'
import * as guards from './migrations/0003-guards.ts'
import * as purses from './migrations/0004-purses.ts'
import * as insight from './migrations/0005-insight.ts'
import * as routing from './migrations/0006-routing.ts'
import * as trust from './migrations/0007-trust.ts'
import * as state from './migrations/0008-state.ts'
import * as longWork from './migrations/0009-long-work.ts'
import * as expiringCodes from './migrations/0011-expiring-codes.ts'
import * as walking from './migrations/0012-walking.ts'
import * as days from './migrations/0013-days.ts'
import * as leanIndexes from './migrations/0014-lean-indexes.ts'
import * as foundAgain from './migrations/0017-found-again.ts'
import * as teamStatements from './migrations/0018-team-statements.ts'
import * as logins from './migrations/0019-logins.ts'
import * as leanInserts from './migrations/0020-lean-inserts.ts'
import * as channelTroubles from './migrations/0021-channel-troubles.ts'
import * as requestIds from './migrations/0022-request-ids.ts'
import * as hoursOfPeople from './migrations/0023-hours-of-people.ts'
import * as room from './migrations/0024-room.ts'
import * as listed from './migrations/0025-listed.ts'
import * as relayItems from './migrations/0026-relay-items.ts'
import * as budgetShares from './migrations/0029-budget-shares.ts'
import * as laterWork from './migrations/0031-later-work.ts'
import * as attempts from './migrations/0033-attempts.ts'
import { reached, written } from './unusable.ts'

interface Migration {
  readonly name: string
  up(tx: Tx, engine: Engine): Promise<void>
}

const migrations: readonly Migration[] = [
  initial,
  guards,
  purses,
  insight,
  routing,
  trust,
  state,
  longWork,
  expiringCodes,
  walking,
  days,
  leanIndexes,
  foundAgain,
  teamStatements,
  logins,
  leanInserts,
  channelTroubles,
  requestIds,
  hoursOfPeople,
  room,
  listed,
  relayItems,
  budgetShares,
  laterWork,
  attempts,
]

/** Refuses a database of a newer version: this version would not maintain what the newer one stores. */
export class NewerDatabase extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `The database is of a newer version: it knows ${unknown.join(', ')}, which this version does not. ` +
        'Start the newer version, or put back a backup made before it ran.',
    )
  }
}

const lockNumber = 7_417_201

interface Applied {
  migrations: { name: string }
}

/** Names of the migrations a database has; of a newer version they are refused. */
export async function appliedMigrations(db: Db): Promise<ReadonlySet<string>> {
  const own = db as unknown as Kysely<Applied>
  const names = (await own.selectFrom('migrations').select('name').execute()).map((row) => row.name)
  const unknown = names.filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.length > 0) throw new NewerDatabase(unknown)
  return new Set(names)
}

/** Brings the schema up to date in one transaction. Nodes that start together wait for each other. */
export const migrate = (database: AnyDatabase): Promise<string[]> =>
  reached(written(database.engine === 'sqlite' ? database.folder : null, bringUpToDate(database)))

function bringUpToDate(database: AnyDatabase): Promise<string[]> {
  return database.db.transaction().execute(async (tx) => {
    if (database.engine === 'postgres') await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(tx)
    await sql`create table if not exists migrations (name text primary key)`.execute(tx)
    const own = tx as unknown as Kysely<Applied>
    const done = await appliedMigrations(tx)
    const due = migrations.filter((migration) => !done.has(migration.name))
    for (const migration of due) {
      await migration.up(tx, database.engine)
      await own.insertInto('migrations').values({ name: migration.name }).execute()
    }
    return due.map((migration) => migration.name)
  })
}
