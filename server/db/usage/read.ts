import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isSqlite, type Tx } from '#server/db/database.ts'
import { numberCell, rowsOf, textCell } from '#server/db/json-rows.ts'
import { addRow, type Dimension, type Keys, noSums, type Sums, sumNames, type UsageRow } from './cells.ts'
import { included, isLed, matches, onRollUps, type UsageFilter } from './filter.ts'
import { loggedUsage, readUsageMark, unloggedUsage } from './fold.ts'
import { type Bucket, type Piece, piecesOf, quartersAround } from './pieces.ts'
import {
  daySeconds,
  details,
  hourSeconds,
  longSeconds,
  quarterSeconds,
  type Shape,
  type Span,
  shapes,
} from './shapes.ts'
import { readTimes, type Times } from './times.ts'

export type UsageKey = Exclude<Dimension, 'token_name'>

/** What is asked of the roll-ups. */
export interface UsageQuestion {
  readonly filter: UsageFilter
  /** One after the other, without gaps. */
  readonly buckets: readonly Bucket[]
  /** Null: all together. */
  readonly by: UsageKey | null
  /** Holds for all roll-ups the filter lets through, and leads to them. */
  readonly lead?: UsageFilter
}

export interface UsageSums extends Sums {
  readonly bucket: number
  readonly key: string | number
}

export interface UsageTimes {
  readonly firstByte: Times
  readonly duration: Times
}

/** Requests that are not in the roll-ups though they belong to the question, or the other way round. */
interface Correction {
  readonly bucket: number
  readonly key: string | number
  readonly sums: Sums
  readonly firstByte: Times
  readonly duration: Times
}

/** A question with everything read that its statements need. */
export interface PreparedQuestion extends UsageQuestion {
  readonly corrections: readonly Correction[]
}

const within = (from: number, to: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`created_at >= ${from} and created_at < ${to}`

/** Which bucket a time falls into. */
function bucketAt(buckets: readonly Bucket[], at: number): number {
  let low = 0
  let high = buckets.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((buckets[middle]?.from ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

const ofOneUser = (filter: UsageFilter): RawBuilder<SqlBool> => {
  const user = filter.find(({ column, values, leaveOut }) => column === 'user_id' && !leaveOut && values.length === 1)
  return user ? sql<SqlBool>` and user_id = ${user.values[0]}` : sql<SqlBool>``
}

/**
 * Roll-ups know quarter hours up to the mark. What came later is added from the rows themselves; what lies in the first and the
 * last quarter hour outside the range is taken away as far as the log still has it. The transaction must see one state of the
 * database.
 */
export async function prepare(tx: Tx, question: UsageQuestion): Promise<PreparedQuestion> {
  const { filter, buckets, by } = question
  const whole = { from: buckets[0]?.from ?? 0, to: buckets.at(-1)?.to ?? 0 }
  const around = quartersAround(whole)
  const mark = await readUsageMark(tx)
  const found = new Map<string, Correction>()
  const correct = (rows: readonly UsageRow[], sign: 1 | -1) => {
    for (const row of rows) {
      if (!matches(filter, row)) continue
      const bucket = bucketAt(buckets, row.created_at)
      const key = by === null ? '' : row[by]
      const known = found.get(`${bucket} ${key}`) ?? {
        bucket,
        key,
        sums: noSums(),
        firstByte: new Map(),
        duration: new Map(),
      }
      addRow(known, row, sign)
      found.set(`${bucket} ${key}`, known)
    }
  }
  const user = ofOneUser(filter)
  const inside = within(whole.from, whole.to)
  // SQLite is led to the few rows behind the mark, past the index of times; PostgreSQL finds them and the partitions by itself.
  const young = isSqlite(tx)
    ? sql`created_at + 0 >= ${whole.from} and created_at + 0 < ${whole.to}`
    : sql`${inside}${user}`
  correct(await loggedUsage(tx, sql`id > ${mark} and ${young}`), 1)
  correct(await unloggedUsage(tx, sql`${inside}${user}`), 1)
  for (const [from, to] of [
    [around.from, whole.from],
    [whole.to, around.to],
  ] as const) {
    if (from < to) correct(await loggedUsage(tx, sql`id <= ${mark} and ${within(from, to)}${user}`), -1)
  }
  return { ...question, corrections: [...found.values()] }
}

/** The shortest table of a span that keeps apart what is asked for. */
function shapeFor(filter: UsageFilter, by: UsageKey | null, span: Span): Shape | undefined {
  const needed = filter.map(({ column }) => column)
  const columns = by === null ? needed : [...needed, by]
  return shapes.find(({ keys, spans }) => spans.includes(span) && columns.every((column) => keys.includes(column)))
}

const keyOf = ({ by }: UsageQuestion) => (by === null ? sql`''` : sql`kept.${sql.ref(by)}`)

const longestFirst: readonly Span[] = [longSeconds, daySeconds, hourSeconds, quarterSeconds]

/** PostgreSQL counts what its tables hold; SQLite is told. */
function indexHint({ indexes = [] }: Shape, span: Span, filter: UsageFilter): RawBuilder<unknown> {
  const led = indexes.find(({ column, spans }) => spans.includes(span) && isLed(filter, column))
  return led ? sql`indexed by ${sql.ref(led.name)}` : sql``
}

/** The roll-ups of each piece. PostgreSQL would read whole tables if it were left to choose, for it cannot know how short pieces are. */
function ofPieces(tx: Tx, shape: Shape, span: Span, filter: UsageFilter): RawBuilder<unknown> {
  const table = sql.table(shape.table)
  const where = sql`kept.span = ${sql.lit(span)} and kept.slot >= piece.first and kept.slot < piece.beyond
      and ${onRollUps(filter)}`
  return isSqlite(tx)
    ? sql`cross join ${table} as kept ${indexHint(shape, span, filter)} where ${where}`
    : sql`cross join lateral (select * from ${table} as kept where ${where} offset 0) as kept`
}

/** Rows of the roll-ups with `bucket`, `key` and `sign`: a statement for each table that is needed. */
function partsOf(tx: Tx, question: UsageQuestion, select: RawBuilder<unknown>): RawBuilder<unknown>[] {
  return included([...question.filter, ...(question.lead ?? [])]).flatMap(({ filter, sign }) => {
    const spans = longestFirst.filter((span) => shapeFor(filter, question.by, span) !== undefined)
    const pieces = question.buckets.flatMap((bucket, at) => piecesOf(bucket, at, spans))
    return spans.flatMap((span) => {
      const list = pieces
        .filter((piece: Piece) => piece.span === span)
        .map((piece) => [piece.bucket, piece.from, piece.to, sign * piece.sign])
      const shape = shapeFor(filter, question.by, span) ?? details
      return list.length === 0
        ? []
        : [
            sql`
    select ${select} from (
      select ${numberCell(0)} as bucket, ${numberCell(1)} as first, ${numberCell(2)} as beyond, ${numberCell(3)} as sign
      from ${rowsOf(tx, list)}
    ) as piece ${ofPieces(tx, shape, span, filter)}`,
          ]
    })
  })
}

/** A statement that answers `bucket`, `key` and the sums: to be ordered, cut or counted by whoever asks. */
export function sumsStatement(tx: Tx, question: PreparedQuestion): RawBuilder<UsageSums> {
  const signed = sumNames.map((name) => sql`sum(piece.sign * kept.${sql.ref(name)}) as ${sql.ref(name)}`)
  const grouped = question.by === null ? sql`piece.bucket` : sql`piece.bucket, ${keyOf(question)}`
  const parts = partsOf(tx, question, sql`piece.bucket, ${keyOf(question)} as key, ${sql.join(signed)}`).map(
    (part) => sql`${part} group by ${grouped}`,
  )
  const isText = question.by === null || question.by === 'model_name' || question.by === 'group'
  const cells = question.corrections.map(({ bucket, key, sums }) => [
    bucket,
    key,
    ...sumNames.map((name) => sums[name]),
  ])
  const corrected = sumNames.map((name, at) => sql`${numberCell(at + 2)} as ${sql.ref(name)}`)
  parts.push(sql`
    select ${numberCell(0)} as bucket, ${isText ? textCell(1) : numberCell(1)} as key, ${sql.join(corrected)}
    from ${rowsOf(tx, cells)}`)
  const added = sumNames.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`)
  return sql<UsageSums>`
    select bucket, key, ${sql.join(added)} from (${sql.join(parts, sql` union all `)}) as part
    group by bucket, key having sum(requests) > 0`
}

export const readSums = async (tx: Tx, question: PreparedQuestion): Promise<readonly UsageSums[]> =>
  (await sumsStatement(tx, question).execute(tx)).rows

const timesKey = (bucket: number, key: string | number): string => `${bucket} ${key}`

/** How long the requests of each bucket and key took. */
export async function readUsageTimes(
  tx: Tx,
  question: PreparedQuestion,
): Promise<(bucket: number, key: string | number) => UsageTimes> {
  const found = new Map<string, UsageTimes>()
  const timesOf = (bucket: number, key: string | number): UsageTimes => {
    const name = timesKey(bucket, key)
    const known = found.get(name) ?? { firstByte: new Map(), duration: new Map() }
    found.set(name, known)
    return known
  }
  const select = sql`piece.bucket, ${keyOf(question)} as key, piece.sign, first_byte, duration`
  for (const part of partsOf(tx, question, select)) {
    type Row = Pick<UsageSums, 'bucket' | 'key'> & { sign: number; first_byte: string; duration: string }
    for (const row of (await sql<Row>`${part}`.execute(tx)).rows) {
      const times = timesOf(row.bucket, row.key)
      readTimes(row.first_byte, times.firstByte, row.sign)
      readTimes(row.duration, times.duration, row.sign)
    }
  }
  for (const { bucket, key, firstByte, duration } of question.corrections) {
    const times = timesOf(bucket, key)
    for (const [size, requests] of firstByte) times.firstByte.set(size, (times.firstByte.get(size) ?? 0) + requests)
    for (const [size, requests] of duration) times.duration.set(size, (times.duration.get(size) ?? 0) + requests)
  }
  return (bucket, key) => found.get(timesKey(bucket, key)) ?? { firstByte: new Map(), duration: new Map() }
}

/** The rows of tokens are found through those who used them. */
export async function usersOfTokens(tx: Tx, tokenIds: readonly (string | number)[]): Promise<UsageFilter> {
  if (tokenIds.length === 0) return []
  const { rows } = await sql<Pick<Keys, 'user_id'>>`
    select distinct user_id from usage_people where token_id in (${sql.join(tokenIds)})`.execute(tx)
  return [{ column: 'user_id', values: rows.map(({ user_id }) => user_id), leaveOut: false }]
}

/** The last name each token had, also of those that are gone. */
export async function lastTokenNames(tx: Tx, tokenIds: readonly number[]): Promise<Map<number, string>> {
  if (tokenIds.length === 0) return new Map()
  const { rows } = await sql<Pick<Keys, 'token_id' | 'token_name'>>`
    select token_id, max(token_name) as token_name from usage_people
    where token_id in (${sql.join(tokenIds)}) group by token_id`.execute(tx)
  return new Map(rows.map((row) => [row.token_id, row.token_name]))
}
