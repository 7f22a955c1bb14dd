import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import { type SumName, sumNames } from '#server/db/usage/cells.ts'
import type { UsageKey, UsageQuestion } from '#server/db/usage/parts.ts'
import { prepare, sumsStatement, usersOfTokens } from '#server/db/usage/read.ts'
import type { Actor } from '#server/http/call.ts'
import type { UsageBy } from '#shared/api/usage.ts'
import { AppError } from '#shared/errors.ts'
import { isAdmin } from '#shared/roles.ts'

const columns: Record<UsageBy, UsageKey | null> = {
  none: null,
  model: 'model_name',
  token: 'token_id',
  user: 'user_id',
  channel: 'channel',
  group: 'group',
  team: 'team_id',
  payer: 'payer',
}

const profitNames: readonly string[] = ['cost', 'profit', 'margin']

/** As `marginOf`; what is not known comes with what is 0. */
const margin = sql`case when quota = 0 or (cost = 0 and cost_unknown > 0) then 0.0 else 1.0 * (quota - cost) / quota end`

/** The order of rows, largest first, and the sums it is made of. */
interface Order {
  readonly by: RawBuilder<unknown>
  readonly names: readonly SumName[]
}

export function orderOf(actor: Actor, name: string): Order {
  if (profitNames.includes(name) && !isAdmin(actor.role)) throw new AppError('auth.forbidden')
  const both = ['requests', 'quota', 'cost'] as const
  if (name === 'profit') return { by: sql`quota - cost`, names: both }
  if (name === 'margin') return { by: margin, names: [...both, 'cost_unknown'] }
  return { by: sql.ref(name), names: sumNames.filter((each) => each === name || each === 'requests') }
}

export function columnFor(actor: Actor, by: UsageBy): UsageKey | null {
  if (by === 'channel' && !isAdmin(actor.role)) throw new AppError('auth.forbidden')
  return columns[by]
}

/** A question about some keys only. */
export async function narrowed(
  tx: Tx,
  question: UsageQuestion,
  values: readonly (string | number)[],
): Promise<UsageQuestion> {
  const { filter, by } = question
  if (by === null) return question
  const lead = by === 'token_id' ? await usersOfTokens(tx, values) : []
  return { ...question, filter: [...filter, { column: by, values, leaveOut: false }], lead }
}

/** The keys of a question over one bucket, largest first, and how many there are. */
export async function largest(
  tx: Tx,
  question: UsageQuestion,
  order: Order,
  { take, skip }: { take: number; skip: number },
): Promise<{ keys: (string | number)[]; total: number }> {
  const all = sumsStatement(tx, await prepare(tx, question), order.names)
  const { rows } = await sql<{ key: string | number; total: number }>`
    select key, count(*) over () as total from (${all}) as found
    order by ${order.by} desc, requests desc, key limit ${take} offset ${skip}`.execute(tx)
  return { keys: rows.map(({ key }) => key), total: rows[0]?.total ?? (skip === 0 ? 0 : await countOf(tx, all)) }
}

/** A page behind the last one has no row that could say it. */
async function countOf(tx: Tx, all: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from (${all}) as found`.execute(tx)
  return rows[0]?.total ?? 0
}
