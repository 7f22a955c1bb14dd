import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import { numberCell, rowsOf, textCell } from '#server/db/json-rows.ts'
import { addRow, type Dimension, type Keys, noSums, type Sums, sumNames, type UsageRow } from './cells.ts'
import { matches, onRollUps, type UsageFilter } from './filter.ts'
import { loggedUsage, readUsageMark, unloggedUsage } from './fold.ts'
import { type Bucket, type Piece, piecesOf, quartersAround } from './pieces.ts'
import { daySeconds, details, quarterSeconds, routes, type Shape, type Span, tokens } from './shapes.ts'
import { readTimes, type Times } from './times.ts'

export type UsageKey = Exclude<Dimension, 'token_name'>

/** What is asked of the roll-ups. */
export interface UsageQuestion {
  readonly filter: UsageFilter
  /** One after the other, without gaps. */
  readonly buckets: readonly Bucket[]
  /** Null: all together. */
  readonly by: UsageKey | null
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
  correct(await loggedUsage(tx, sql`id > ${mark} and ${inside}${user}`), 1)
  correct(await unloggedUsage(tx, sql`${inside}${user}`), 1)
  for (const [from, to] of [
    [around.from, whole.from],
    [whole.to, around.to],
  ] as const) {
    if (from < to) correct(await loggedUsage(tx, sql`id <= ${mark} and ${within(from, to)}${user}`), -1)
  }
  return { ...question, corrections: [...found.values()] }
}

/** The smallest table that keeps apart what is asked for. */
function shapeFor({ filter, by }: UsageQuestion, span: Span): Shape {
  const needed = filter.map(({ column }) => column)
  const columns = by === null ? needed : [...needed, by]
  const fits = ({ keys, spans }: Shape) => spans.includes(span) && columns.every((column) => keys.includes(column))
  return [routes, tokens].find(fits) ?? details
}

const keyOf = ({ by }: UsageQuestion) => (by === null ? sql`''` : sql`kept.${sql.ref(by)}`)

/** Rows of the roll-ups of one span with `bucket`, `key` and `sign`. */
function partOf(tx: Tx, question: UsageQuestion, span: Span, select: RawBuilder<unknown>): RawBuilder<unknown> | null {
  const pieces = question.buckets.flatMap(piecesOf).filter((piece: Piece) => piece.span === span)
  if (pieces.length === 0) return null
  const list = pieces.map(({ bucket, from, to, sign }) => [bucket, from, to, sign])
  return sql`
    select ${select} from (
      select ${numberCell(0)} as bucket, ${numberCell(1)} as first, ${numberCell(2)} as beyond, ${numberCell(3)} as sign
      from ${rowsOf(tx, list)}
    ) as piece cross join ${sql.table(shapeFor(question, span).table)} as kept
    where kept.span = ${sql.lit(span)} and kept.slot >= piece.first and kept.slot < piece.beyond
      and ${onRollUps(question.filter)}`
}

const spans: readonly Span[] = [daySeconds, quarterSeconds]

/** A statement that answers `bucket`, `key` and the sums: to be ordered, cut or counted by whoever asks. */
export function sumsStatement(tx: Tx, question: PreparedQuestion): RawBuilder<UsageSums> {
  const signed = sumNames.map((name) => sql`sum(piece.sign * kept.${sql.ref(name)}) as ${sql.ref(name)}`)
  const grouped = question.by === null ? sql`piece.bucket` : sql`piece.bucket, ${keyOf(question)}`
  const parts = spans.flatMap((span) => {
    const part = partOf(tx, question, span, sql`piece.bucket, ${keyOf(question)} as key, ${sql.join(signed)}`)
    return part ? [sql`${part} group by ${grouped}`] : []
  })
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
  for (const span of spans) {
    const part = partOf(
      tx,
      question,
      span,
      sql`piece.bucket, ${keyOf(question)} as key, piece.sign, first_byte, duration`,
    )
    if (!part) continue
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

/** The last name each token had, also of those that are gone. */
export async function lastTokenNames(tx: Tx, tokenIds: readonly number[]): Promise<Map<number, string>> {
  if (tokenIds.length === 0) return new Map()
  const { rows } = await sql<Pick<Keys, 'token_id' | 'token_name'>>`
    select token_id, max(token_name) as token_name from usage_tokens
    where token_id in (${sql.join(tokenIds)}) group by token_id`.execute(tx)
  return new Map(rows.map((row) => [row.token_id, row.token_name]))
}
