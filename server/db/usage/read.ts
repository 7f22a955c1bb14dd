import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isSqlite, type Tx } from '#server/db/database.ts'
import { numberCell, rowsOf, textCell } from '#server/db/json-rows.ts'
import {
  addRescued,
  addRow,
  addSums,
  attemptsIn,
  type Cell,
  type Dimension,
  type Keys,
  noSums,
  noTimes,
  rescuedOf,
  type StoredCell,
  type SumName,
  type Sums,
  sumNames,
  type UsageLogRow,
} from './cells.ts'
import { columnValue, matches, needsOf, type UsageFilter } from './filter.ts'
import { loggedUsage, readUsageMark, unloggedUsage } from './fold.ts'
import { keyOf, partsOf, type UsageQuestion } from './parts.ts'
import { type Bucket, quartersAround } from './pieces.ts'
import { hourSeconds, longSeconds } from './shapes.ts'
import { timesTogether } from './store.ts'
import { noTally, type Tally, type TallyPart, tallyOf } from './times.ts'

export interface UsageSums extends Sums {
  readonly bucket: number
  readonly key: string | number
  /** Empty unless asked for. */
  readonly firstByte: Tally
}

export interface UsageTimes {
  readonly firstByte: Tally
  readonly duration: Tally
}

/** Requests that are not in the roll-ups though they belong to the question, or the other way round. */
interface Correction extends Omit<Cell, Dimension> {
  readonly bucket: number
  readonly key: string | number
}

/** What is asked about channels is about every attempt on them, not about the requests alone that each was the last to get. */
const isOfChannels = ({ filter, by }: UsageQuestion): boolean =>
  [...filter.flatMap(({ column, leaveOut }) => (leaveOut ? [] : [column])), ...(by === null ? [] : [by])].some(
    (column) => needsOf(column).includes('channel'),
  )

const attemptNames: readonly SumName[] = ['requests', 'rescued']

/** A sum of roll-ups called `kept`. Who does not ask about channels is spared the column. */
function sumColumn(name: SumName, question: UsageQuestion): RawBuilder<number> {
  return name === 'rescued' && !isOfChannels(question) ? sql<number>`0` : sql<number>`kept.${sql.ref(name)}`
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
  const ofChannels = isOfChannels(question)
  const correctionOf = (keys: Keys, at: number): Correction => {
    const bucket = bucketAt(buckets, at)
    const key = by === null ? '' : columnValue(keys, by)
    const known = found.get(`${bucket} ${key}`) ?? { bucket, key, sums: noSums(), ...noTimes() }
    found.set(`${bucket} ${key}`, known)
    return known
  }
  const correct = (rows: readonly UsageLogRow[], sign: 1 | -1) => {
    for (const row of rows) {
      if (matches(filter, row)) addRow(correctionOf(row, row.created_at), row, sign)
      if (!ofChannels) continue
      for (const attempt of rescuedOf(row))
        if (matches(filter, attempt.keys)) addRescued(correctionOf(attempt.keys, row.created_at), attempt, sign)
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

/**
 * A statement over a question of one bucket that answers `key` and the sums named, to be ordered, cut and counted by whoever asks. Over
 * many keys adding up is most of the work: fewer sums are quicker.
 */
export function sumsStatement(tx: Tx, question: PreparedQuestion, wanted: readonly SumName[]): RawBuilder<unknown> {
  const names = [
    ...new Set<SumName>([...wanted, 'requests', ...(isOfChannels(question) ? (['rescued'] as const) : [])]),
  ]
  const key = keyOf(question)
  const signed = names.map((name) => sql`sum(piece.sign * ${sumColumn(name, question)}) as ${sql.ref(name)}`)
  const grouped = question.by === null ? sql`group by piece.id` : sql`group by ${key}`
  const parts = partsOf(tx, question, sql`${key} as key, ${sql.join(signed)}`, grouped).map(
    ({ statement }) => statement,
  )
  const isText = question.by === null || ['model_name', 'group', 'token_and_model'].includes(question.by)
  const cells = question.corrections.map(({ key: corrected, sums }) => [corrected, ...names.map((name) => sums[name])])
  const columns = names.map((name, at) => sql`${numberCell(at + 1)} as ${sql.ref(name)}`)
  parts.push(sql`
    select ${isText ? textCell(0) : numberCell(0)} as key, ${sql.join(columns)} from ${rowsOf(tx, cells)}`)
  const added = names.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`)
  const present = names.filter((name) => attemptNames.includes(name)).map((name) => sql`sum(${sql.ref(name)})`)
  return sql`
    select key, ${sql.join(added)} from (${sql.join(parts, sql` union all `)}) as part
    group by key having ${sql.join(present, sql` + `)} > 0`
}

const nameOf = (bucket: number, key: string | number): string => `${bucket} ${key}`

/** First bytes as the client saw them; those of channels are of their own attempts, without the time that others lost. */
function firstBytesOf(
  { first_byte, try_times, late_times }: Pick<StoredCell, 'first_byte' | 'try_times' | 'late_times'>,
  ofChannels: boolean,
  sign: number,
): TallyPart[] {
  if (!ofChannels) return [[first_byte, sign]]
  return [
    [first_byte, sign],
    [try_times, sign],
    [late_times, -sign],
  ]
}

/** The sums of each bucket and key that had requests, and how long their first bytes took if that is asked for. */
export async function readSums(tx: Tx, question: PreparedQuestion, timed = false): Promise<readonly UsageSums[]> {
  const found = new Map<string, Omit<UsageSums, 'firstByte'> & { readonly parts: TallyPart[] }>()
  const cellOf = (bucket: number, key: string | number) => {
    const name = nameOf(bucket, key)
    const known = found.get(name) ?? { ...noSums(), bucket, key, parts: [] }
    found.set(name, known)
    return known
  }
  const added = sumNames.map((name) => sql`sum(${sumColumn(name, question)}) as ${sql.ref(name)}`)
  const ofChannels = isOfChannels(question)
  const together = (name: 'first_byte' | 'try_times' | 'late_times', isRead = timed && ofChannels) =>
    sql`${isRead ? timesTogether(tx, name) : sql`''`} as ${sql.ref(name)}`
  const times = sql`${together('first_byte', timed)}, ${together('try_times')}, ${together('late_times')}`
  const select = sql`piece.id, ${keyOf(question)} as key, ${sql.join(added)}, ${times}`
  const grouped = question.by === null ? sql`group by piece.id` : sql`group by piece.id, ${keyOf(question)}`
  for (const { statement, uses } of partsOf(tx, question, select, grouped)) {
    type Found = Sums & Omit<StoredCell, SumName | 'duration'> & { id: number; key: string | number }
    const { rows } = await sql<Found>`${statement}`.execute(tx)
    for (const row of rows) {
      const times = timed ? tallyOf(firstBytesOf(row, ofChannels, 1)) : noTally
      for (const { bucket, sign } of uses[row.id] ?? []) {
        const cell = cellOf(bucket, row.key)
        addSums(cell, row, sign)
        cell.parts.push([times, sign])
      }
    }
  }
  for (const { bucket, key, sums, firstByte, tries, late } of question.corrections) {
    const cell = cellOf(bucket, key)
    addSums(cell, sums)
    cell.parts.push([firstByte, 1])
    if (ofChannels) cell.parts.push([tries, 1], [late, -1])
  }
  return [...found.values()]
    .filter((sums) => attemptsIn(sums).made > 0)
    .map(({ parts, ...sums }) => ({ ...sums, firstByte: timed ? tallyOf(parts) : noTally }))
}

/** What is known of the requests of a bucket and key. */
export interface UsageCell extends UsageTimes {
  readonly sums: Sums
}

/** Sums and times of each bucket and key. For few keys: every roll-up of theirs is read here. */
export async function readCells(
  tx: Tx,
  question: PreparedQuestion,
): Promise<(bucket: number, key: string | number) => UsageCell> {
  const newCell = () => ({ sums: noSums(), firstByte: [] as TallyPart[], duration: [] as TallyPart[] })
  const found = new Map<string, ReturnType<typeof newCell>>()
  const cellOf = (bucket: number, key: string | number) => {
    const name = nameOf(bucket, key)
    const known = found.get(name) ?? newCell()
    found.set(name, known)
    return known
  }
  const ofChannels = isOfChannels(question)
  const sums = sql.join(sumNames.map((name) => sql`${sumColumn(name, question)} as ${sql.ref(name)}`))
  const attempts = ofChannels ? sql`try_times, late_times` : sql`'' as try_times, '' as late_times`
  const select = sql`piece.id, ${keyOf(question)} as key, ${sums}, first_byte, duration, ${attempts}`
  for (const { statement, uses } of partsOf(tx, question, select)) {
    const { rows } = await sql<StoredCell & { id: number; key: string | number }>`${statement}`.execute(tx)
    for (const row of rows) {
      for (const { bucket, sign } of uses[row.id] ?? []) {
        const cell = cellOf(bucket, row.key)
        addSums(cell.sums, row, sign)
        cell.firstByte.push(...firstBytesOf(row, ofChannels, sign))
        cell.duration.push([row.duration, sign])
      }
    }
  }
  for (const { bucket, key, sums: corrected, firstByte, duration, tries, late } of question.corrections) {
    const cell = cellOf(bucket, key)
    addSums(cell.sums, corrected)
    cell.firstByte.push([firstByte, 1])
    if (ofChannels) cell.firstByte.push([tries, 1], [late, -1])
    cell.duration.push([duration, 1])
  }
  return (bucket, key) => {
    const { sums: own, firstByte, duration } = found.get(nameOf(bucket, key)) ?? newCell()
    return { sums: own, firstByte: tallyOf(firstByte), duration: tallyOf(duration) }
  }
}

/** The rows of tokens are found through those who used them. */
export async function usersOfTokens(tx: Tx, tokenIds: readonly (string | number)[]): Promise<UsageFilter> {
  if (tokenIds.length === 0) return []
  const { rows } = await sql<Pick<Keys, 'user_id'>>`
    select distinct user_id from usage_people where span = ${sql.lit(longSeconds)} and token_id in (${sql.join(tokenIds)})`.execute(
    tx,
  )
  return [{ column: 'user_id', values: rows.map(({ user_id }) => user_id), leaveOut: false }]
}

/** The last name each token had, also of those that are gone. */
export async function lastTokenNames(tx: Tx, tokenIds: readonly number[]): Promise<Map<number, string>> {
  if (tokenIds.length === 0) return new Map()
  const { rows } = await sql<Pick<Keys, 'token_id' | 'token_name'>>`
    select token_id, coalesce((select token_name from usage_people named
      where named.token_id = used.token_id and span = ${sql.lit(hourSeconds)} order by slot desc limit 1), '') as token_name
    from (select distinct token_id from usage_people
      where span = ${sql.lit(longSeconds)} and token_id in (${sql.join(tokenIds)})) used`.execute(tx)
  return new Map(rows.map((row) => [row.token_id, row.token_name]))
}
