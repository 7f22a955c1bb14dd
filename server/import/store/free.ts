import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import type { ImportRun } from './run.ts'

/** What only one row may have, and how a row is marked that has to give it up: empty, or by its number where it may not be empty. */
const columns = {
  users: {
    named: ['username'],
    empty: ['name_key', 'email', 'github_id', 'github_login', 'wechat_id', 'oidc_id', 'access_token_hash', 'aff_code'],
  },
  tokens: { named: ['key_hash'], empty: [] },
  redemptions: { named: ['key'], empty: [] },
} as const

type Row = { readonly id: number } & Readonly<Record<string, unknown>>

/** In later rounds a name or key may have passed from one row to another, so it is freed before the rows are written. */
export async function freeValues(
  { tx, round }: Pick<ImportRun, 'tx' | 'round'>,
  table: keyof typeof columns,
  rows: readonly Row[],
): Promise<void> {
  if (round === '') return
  const { named, empty } = columns[table]
  const ids = rows.map(({ id }) => id)
  for (const column of [...named, ...empty]) {
    const values = rows.map((row) => row[column]).filter((value) => typeof value === 'string' && value !== '')
    if (values.length > 0)
      await giveUp(tx, { table, column, values, ids, isNamed: named.some((each) => each === column) })
  }
}

interface Freed {
  readonly table: string
  readonly column: string
  readonly values: readonly unknown[]
  /** Of the rows that are to have them. */
  readonly ids: readonly number[]
  readonly isNamed: boolean
}

/** Rows that hold one of the values, and those about to be written, get a placeholder. */
async function giveUp(tx: Tx, { table, column, values, ids, isNamed }: Freed): Promise<void> {
  const instead = isNamed ? sql`'moved:' || id` : sql`''`
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${instead}
    where ${sql.ref(column)} in (${sql.join(values)}) or id in (${sql.join(ids)})`.execute(tx)
}
