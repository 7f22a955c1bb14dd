import type { Database as Sqlite } from 'bun:sqlite'
import { sql } from 'kysely'
import { withoutZeros } from '#server/lib/text/without-zeros.ts'
import type { Tx } from './database.ts'
import { logFloorKey } from './logs/log-totals.ts'
import { continueNumbering } from './numbering.ts'
import type { Tables } from './tables.ts'

/** Which tables go to another database; the others say something about the processes that use this one. */
const goes: Readonly<Record<keyof Tables, boolean>> = {
  users: true,
  tokens: true,
  teams: true,
  team_members: true,
  team_invites: true,
  team_budget_shares: true,
  channels: true,
  channel_keys: true,
  channel_troubles: true,
  redemptions: true,
  options: true,
  logs: true,
  log_totals: true,
  user_log_totals: true,
  token_log_totals: true,
  unlogged_usage: true,
  usage_details: true,
  usage_routes: true,
  usage_people: true,
  usage_totals: true,
  usage_models: true,
  usage_channels: true,
  usage_groups: true,
  usage_teams: true,
  ledger_entries: true,
  holds: true,
  sessions: true,
  codes: true,
  oauth_states: true,
  history: true,
  history_items: true,
  totp: true,
  recovery_codes: true,
  passkeys: true,
  login_tickets: true,
  passkey_challenges: true,
  known_devices: true,
  gifts_given: true,
  login_addresses: true,
  meta: true,
  relay_state: true,
  relay_items: true,
  long_work: true,
  later_work: true,
  nodes: false,
  rate_windows: false,
  limit_windows: false,
}

const rowsPerStatement = 2000

/** Copies everything from a SQLite file into the empty tables of PostgreSQL. Returns how many rows each table got. */
export async function copyTables(source: Sqlite, tx: Tx): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const [table, isCopied] of Object.entries(goes)) {
    if (!isCopied) continue
    counts.set(table, await copyTable(source, tx, table))
  }
  await continueNumbering(tx, numbersGiven(source))
  return counts
}

/** The ledger knows things by their numbers: those of deleted ones are not given out again. */
const numbersGiven = (source: Sqlite): Map<string, number> =>
  new Map(
    source
      .query<{ name: string; seq: number }, [string]>(
        "select name, seq from sqlite_sequence union all select 'logs', cast(value as integer) from meta where key = ?",
      )
      .all(logFloorKey)
      .map(({ name, seq }) => [name, seq]),
  )

async function copyTable(source: Sqlite, tx: Tx, table: string): Promise<number> {
  const target = sql.table(table)
  let copied = 0
  for (const rows of batches(source.query(`select * from "${table}"`).iterate())) {
    const json = JSON.stringify(rows, cleaned)
    await sql`insert into ${target} select * from json_populate_recordset(null::${target}, ${json}::json)`.execute(tx)
    copied += rows.length
  }
  return copied
}

function* batches(rows: Iterable<unknown>): Generator<unknown[]> {
  let batch: unknown[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < rowsPerStatement) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const cleaned = (_: string, value: unknown): unknown => (typeof value === 'string' ? withoutZeros(value) : value)
