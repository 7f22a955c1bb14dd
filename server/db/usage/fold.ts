import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type AnyDatabase, type Db, isSqlite, type Tx } from '#server/db/database.ts'
import { databaseSeconds } from '#server/db/database-clock.ts'
import { lockMark, readMark, writeMark } from '#server/db/logs/fold-mark.ts'
import { othersTurn } from '#server/lib/others-turn.ts'
import { logType } from '#shared/statuses.ts'
import { type UsageLogRow, usageColumns } from './cells.ts'
import { addUsage } from './store.ts'

/** Exactly the requests whose log row has an id up to the mark are in the roll-ups. Locked until the transaction ends. */
export const lockUsageMark = (tx: Tx): Promise<number> => lockMark(tx, 'usage-fold')
export const readUsageMark = (db: Db): Promise<number> => readMark(db, 'usage-fold')
export const writeUsageMark = (tx: Tx, mark: number): Promise<void> => writeMark(tx, 'usage-fold', mark)

const isRequest = sql<SqlBool>`type in (${sql.lit(logType.consumption)}, ${sql.lit(logType.refused)})`

/** Rows of before token ids were written down are the token's that has the name now. */
const tokenId = (table: string) => sql<number>`
  case when token_id <> 0 or token_name = '' then token_id else coalesce(
    (select min(named.id) from tokens as named where named.user_id = ${sql.ref(`${table}.user_id`)}
      and named.name = ${sql.ref(`${table}.token_name`)}), 0) end`

/** A request that one channel alone was asked for is known by its other columns; refused ones had none. */
const routeOfSeveral = sql`case when tried like '%,%' or type = ${sql.lit(logType.refused)} then route else '' end as route`

const columnsOf = (table: string) =>
  sql.join(
    usageColumns.map((name) => {
      if (name === 'token_id') return sql`${tokenId(table)} as token_id`
      return name === 'route' ? routeOfSeveral : sql.ref(name)
    }),
  )

/** Requests of the log, as far as usage is concerned. */
export async function loggedUsage(db: Db, where: RawBuilder<SqlBool>): Promise<UsageLogRow[]> {
  const { rows } =
    await sql<UsageLogRow>`select ${columnsOf('logs')} from logs where ${isRequest} and ${where}`.execute(db)
  return rows
}

/** Requests that are not kept in the log and not in the roll-ups yet. */
export async function unloggedUsage(db: Db, where: RawBuilder<SqlBool>): Promise<UsageLogRow[]> {
  const names = sql.join(usageColumns.map((name) => sql.ref(name)))
  const { rows } = await sql<UsageLogRow>`select ${names} from unlogged_usage where ${where}`.execute(db)
  return rows
}

/** On SQLite a start reads from these rows what counts by limits; PostgreSQL has windows of its own for that. */
const limitsCount = (tx: Tx): RawBuilder<SqlBool> =>
  isSqlite(tx) ? sql`created_at between ${databaseSeconds(tx)} - 60 and ${databaseSeconds(tx)} + 60` : sql`false`

async function takeUnlogged(tx: Tx, most: number): Promise<UsageLogRow[]> {
  const names = sql.join(usageColumns.map((name) => sql.ref(name)))
  const { rows } = await sql<UsageLogRow>`
    delete from unlogged_usage where id in (select id from unlogged_usage where not (${limitsCount(tx)}) order by id limit ${most})
    returning ${names}`.execute(tx)
  return rows
}

/** Ids may leap, as after a move from another database. */
const idAfter = async (tx: Tx, mark: number): Promise<number | undefined> =>
  (await tx.selectFrom('logs').select('id').where('id', '>', mark).orderBy('id').limit(1).executeTakeFirst())?.id

export interface Pace {
  readonly leastRows: number
  readonly mostRows: number
  /** A step takes as many rows as it can in about this time. */
  readonly stepMs: number
}

/** While requests are served: in small steps, so that nothing else waits for long, yet not so small that each row is written. */
export const servingPace: Pace = { leastRows: 2000, mostRows: 16_000, stepMs: 5 }
/** Before they are: large steps share most. */
export const startingPace: Pace = { leastRows: 4000, mostRows: 20_000, stepMs: 1000 }

/** Adds the requests up to a log row's id, and those that are not logged, to the roll-ups. */
export async function foldUsage({ db }: AnyDatabase, settled: number, pace: Pace): Promise<void> {
  let most = pace.leastRows
  for (;;) {
    const began = performance.now()
    const isDone = await db.transaction().execute(async (tx) => {
      const mark = await lockUsageMark(tx)
      const next = await idAfter(tx, mark)
      const end = next === undefined ? settled : Math.min(settled, next - 1 + most)
      if (mark < end) {
        await addUsage(tx, await loggedUsage(tx, sql<SqlBool>`id > ${mark} and id <= ${end}`))
        await writeUsageMark(tx, end)
      }
      const unlogged = await takeUnlogged(tx, most)
      await addUsage(tx, unlogged)
      return end >= settled && unlogged.length < most
    })
    if (isDone) return
    most =
      performance.now() - began > pace.stepMs
        ? Math.max(pace.leastRows, Math.floor(most / 2))
        : Math.min(pace.mostRows, most * 2)
    await othersTurn()
  }
}
