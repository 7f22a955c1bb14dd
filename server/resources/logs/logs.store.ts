import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import { readFoldMark } from '#server/db/logs/log-totals.ts'
import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import type { TeamRole } from '#shared/teams.ts'
import { isInTotals, type LogSelection, onRows, onTotals, splitNegated } from './log-filter.ts'

export type LogRow = Selectable<LogsTable>

/** Sums of one day's rows. */
export interface DayTally {
  readonly day: number
  readonly count: number
  readonly quota: number
  readonly tokens: number
}

type What = 'counts' | 'sums'

const measures: Record<What, RawBuilder<unknown>> = {
  counts: sql`count(*) as count, 0 as quota, 0 as tokens`,
  sums: sql`count(*) as count, coalesce(sum(quota), 0) as quota, coalesce(sum(prompt_tokens + completion_tokens), 0) as tokens`,
}

const within = (from: number, to: number) => sql<SqlBool>`created_at >= ${from} and created_at < ${to}`

async function tallyRows(tx: Tx, what: What, where: RawBuilder<SqlBool>): Promise<DayTally[]> {
  const day = sql`created_at / ${sql.lit(daySeconds)}`
  const { rows } = await sql<DayTally>`
    select ${day} as day, ${measures[what]} from logs where ${where} group by ${day}`.execute(tx)
  return rows
}

async function tallyTotals(tx: Tx, selection: LogSelection, fromDay: number, toDay: number): Promise<DayTally[]> {
  const { table, where } = onTotals(selection)
  const { rows } = await sql<DayTally>`
    select day, sum(count) as count, sum(quota) as quota, sum(tokens) as tokens from ${sql.table(table)}
    where ${where} and day >= ${fromDay} and day < ${toDay} group by day`.execute(tx)
  return rows
}

/** Times of the first and the last row there are; null when there is none. */
export async function extent(tx: Db): Promise<{ first: number; last: number } | null> {
  const ends = tx.selectFrom('logs').select('created_at').limit(1)
  const first = await ends.orderBy('created_at').executeTakeFirst()
  const last = await ends.orderBy('created_at', 'desc').executeTakeFirst()
  return first && last ? { first: first.created_at, last: last.created_at } : null
}

/** The part of the selection's time in which there are rows, grown to whole days where that adds no row. */
async function bounded(tx: Tx, selection: LogSelection): Promise<LogSelection | null> {
  const ends = await extent(tx)
  if (!ends || ends.last < selection.from || ends.first >= selection.to) return null
  const startOfDay = (at: number) => at - (at % daySeconds)
  const from = selection.from <= ends.first ? startOfDay(ends.first) : selection.from
  const to = selection.to > ends.last ? startOfDay(ends.last) + daySeconds : selection.to
  return { ...selection, from, to }
}

const less = ({ day, count, quota, tokens }: DayTally): DayTally => ({
  day,
  count: -count,
  quota: -quota,
  tokens: -tokens,
})

/**
 * Sums by day, newest first: the nearest whole days from the totals, what is not in them yet from the youngest rows, and the
 * rows between the range and those days added or taken away. The transaction must see one state of the database.
 */
export async function tally(tx: Tx, what: What, wanted: LogSelection): Promise<DayTally[]> {
  const split = splitNegated(wanted)
  if (split) return summed([...(await tally(tx, what, split.all)), ...(await tally(tx, what, split.less)).map(less)])
  const selection = await bounded(tx, wanted)
  if (!selection) return []
  const { from, to } = selection
  const rows = onRows(selection)
  const between = (first: number, end: number) =>
    first < end ? tallyRows(tx, what, sql`${rows} and ${within(first, end)}`) : Promise.resolve([])
  const fromDay = Math.round(from / daySeconds)
  const toDay = Math.round(to / daySeconds)
  if (fromDay >= toDay || !isInTotals(selection)) return summed(await between(from, to))
  const start = fromDay * daySeconds
  const end = toDay * daySeconds
  const youngest = sql<SqlBool>`id > ${await readFoldMark(tx)} and ${onRows(selection, false)}`
  return summed([
    ...(await tallyTotals(tx, selection, fromDay, toDay)),
    ...(await tallyRows(tx, what, sql`${youngest} and created_at + 0 >= ${start} and created_at + 0 < ${end}`)),
    ...(await between(from, start)),
    ...(await between(end, to)),
    ...(await between(start, from)).map(less),
    ...(await between(to, end)).map(less),
  ])
}

function summed(parts: readonly DayTally[]): DayTally[] {
  const days = new Map<number, DayTally>()
  for (const part of parts) {
    const { count = 0, quota = 0, tokens = 0 } = days.get(part.day) ?? {}
    const sum = { count: count + part.count, quota: quota + part.quota, tokens: tokens + part.tokens }
    days.set(part.day, { day: part.day, ...sum })
  }
  return [...days.values()].filter(({ count }) => count > 0).sort((a, b) => b.day - a.day)
}

/** Rows of one day, newest first, after `skip` of them; `count` is how many the day has. */
export async function rowsOfDay(
  tx: Tx,
  selection: LogSelection,
  { day, count }: DayTally,
  { skip, take }: { skip: number; take: number },
): Promise<LogRow[]> {
  // From the nearer end of the day: skipping costs a step for each row skipped.
  const fromEnd = skip > count / 2
  const offset = fromEnd ? Math.max(0, count - skip - take) : skip
  const limit = Math.min(take, count - skip)
  const from = Math.max(selection.from, day * daySeconds)
  const to = Math.min(selection.to, (day + 1) * daySeconds)
  const order = fromEnd ? sql`created_at, id` : sql`created_at desc, id desc`
  const { rows } = await sql<LogRow>`
    select * from logs where ${within(from, to)} and id in (
      select id from logs where ${onRows(selection)} and ${within(from, to)} order by ${order} limit ${limit} offset ${offset}
    ) order by created_at desc, id desc`.execute(tx)
  return rows
}

/** How many rows there are, at most `most`. */
export async function countRows(tx: Tx, selection: LogSelection, most: number): Promise<number> {
  const { from, to } = selection
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select 1 as one from logs where ${onRows(selection)} and ${within(from, to)} limit ${most}) as found`.execute(tx)
  return Number(rows[0]?.count ?? 0)
}

/** The newest rows after `skip` of them. */
export async function newestRows(
  tx: Tx,
  selection: LogSelection,
  { skip, take }: { skip: number; take: number },
): Promise<LogRow[]> {
  const { from, to } = selection
  const { rows: places } = await sql<{ id: number; created_at: number }>`
    select id, created_at from logs where ${onRows(selection)} and ${within(from, to)}
    order by created_at desc, id desc limit ${take} offset ${skip}`.execute(tx)
  const [first, last] = [places[0], places.at(-1)]
  if (!first || !last) return []
  return (await tx
    .selectFrom('logs')
    .selectAll()
    .where('created_at', '>=', last.created_at)
    .where('created_at', '<=', first.created_at)
    .where(
      'id',
      'in',
      places.map(({ id }) => id),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()) as LogRow[]
}

/** Rows numbered above one and up to another, oldest first. */
export async function rowsAfter(
  db: Db,
  selection: LogSelection,
  { after, upTo, take }: { after: number; upTo: number; take: number },
): Promise<LogRow[]> {
  const { rows } = await sql<LogRow>`
    select * from logs where id > ${after} and id <= ${upTo} and ${onRows(selection, false)}
      and created_at + 0 >= ${selection.from} and created_at + 0 < ${selection.to}
    order by id limit ${take}`.execute(db)
  return rows
}

export async function teamRole(db: Db, teamId: number, userId: number): Promise<TeamRole | undefined> {
  const members = db.selectFrom('team_members').select('role').where('team_id', '=', teamId)
  return (await members.where('user_id', '=', userId).executeTakeFirst())?.role
}

export async function userIdOf(db: Db, username: string): Promise<number | undefined> {
  const row = await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst()
  return row?.id
}
