import { type RawBuilder, sql } from 'kysely'
import { isSqlite, type Tx } from '#server/db/database.ts'
import { numberCell, rowsOf } from '#server/db/json-rows.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { columnSql, included, isLed, needsOf, onRollUps, type UsageColumn, type UsageFilter } from './filter.ts'
import { type Bucket, piecesOf } from './pieces.ts'
import { details, hourSeconds, longSeconds, quarterSeconds, type RollupSpan, type Shape, shapes } from './shapes.ts'

export type UsageKey = Exclude<UsageColumn, 'token_name'>

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

/** The shortest table of a span that keeps apart what is asked for. */
function shapeFor(filter: UsageFilter, by: UsageKey | null, span: RollupSpan): Shape | undefined {
  const needed = filter.flatMap(({ column }) => needsOf(column))
  const columns = by === null ? needed : [...needed, ...needsOf(by)]
  return shapes.find(({ keys, spans }) => spans.includes(span) && columns.every((column) => keys.includes(column)))
}

export const keyOf = ({ by }: UsageQuestion) => (by === null ? sql`''` : columnSql(by))

const longestFirst: readonly RollupSpan[] = [longSeconds, daySeconds, hourSeconds, quarterSeconds]

/** PostgreSQL has statistics of its tables; SQLite is given the index. */
function indexHint({ indexes = [] }: Shape, span: RollupSpan, filter: UsageFilter): RawBuilder<unknown> {
  const led = indexes.find(({ column, spans }) => spans.includes(span) && isLed(filter, column))
  return led ? sql`indexed by ${sql.ref(led.name)}` : sql``
}

/** The roll-ups of each piece. PostgreSQL would read whole tables if it were left to choose, for it cannot know how short pieces are. */
function ofPieces(tx: Tx, shape: Shape, span: RollupSpan, filter: UsageFilter): RawBuilder<unknown> {
  const table = sql.table(shape.table)
  const where = sql`kept.span = ${sql.lit(span)} and kept.slot >= piece.first and kept.slot < piece.beyond
      and ${onRollUps(filter)}`
  if (isSqlite(tx)) return sql`cross join ${table} as kept ${indexHint(shape, span, filter)} where ${where}`
  return (
    daysOfUsers(tx, shape, span, filter) ??
    sql`cross join lateral (select * from ${table} as kept where ${where} offset 0) as kept`
  )
}

/**
 * Some users' days with a model or through a channel, each looked up. PostgreSQL would read everybody's, or walk through the whole
 * period for every user.
 */
function daysOfUsers(tx: Tx, shape: Shape, span: RollupSpan, filter: UsageFilter): RawBuilder<unknown> | undefined {
  const [users] = filter
    .filter(({ column }) => column === 'user_id')
    .sort((one, other) => one.values.length - other.values.length)
  const isNarrow = filter.some(({ column }) => column === 'model_name' || column === 'channel')
  if (shape !== details || span !== daySeconds || users === undefined || !isNarrow) return undefined
  const list = [...new Set(users.values)].map((id) => [id])
  return sql`cross join lateral generate_series(piece.first, piece.beyond - 1, ${sql.lit(span)}) as day(slot)
    cross join (select ${numberCell(0)} as id from ${rowsOf(tx, list)} offset 0) as person
    cross join lateral (
      select * from ${sql.table(shape.table)} as kept where kept.span = ${sql.lit(span)} and kept.slot = day.slot
      and kept.user_id = person.id and ${onRollUps(filter.filter((choice) => choice !== users))} offset 0) as kept`
}

/** What is added to a bucket or taken away from it. */
interface Use {
  readonly bucket: number
  readonly sign: number
}

interface Part {
  readonly statement: RawBuilder<unknown>
  /** By the `id` of a piece. */
  readonly uses: readonly (readonly Use[])[]
}

/**
 * A statement for each table that is needed, over rows `kept` of a `piece`. What one bucket has and its neighbour has not is the same
 * stretch of time with another sign: it is read once. `piece.sign` is that of the first use. The limit keeps pieces apart from their
 * rows, for each of which they would be read from their JSON again.
 */
export function partsOf(tx: Tx, question: UsageQuestion, select: RawBuilder<unknown>, after = sql``): Part[] {
  return included([...question.filter, ...(question.lead ?? [])]).flatMap(({ filter, sign }) => {
    const spans = longestFirst.filter((span) => shapeFor(filter, question.by, span) !== undefined)
    const pieces = question.buckets.flatMap((bucket, at) => piecesOf(bucket, at, spans))
    return spans.flatMap((span) => {
      const stretches = new Map<string, { place: readonly [number, number]; uses: Use[] }>()
      for (const piece of pieces.filter((each) => each.span === span)) {
        const known = stretches.get(`${piece.from} ${piece.to}`)
        const use = { bucket: piece.bucket, sign: sign * piece.sign }
        if (known) known.uses.push(use)
        else stretches.set(`${piece.from} ${piece.to}`, { place: [piece.from, piece.to], uses: [use] })
      }
      const all = [...stretches.values()]
      if (all.length === 0) return []
      const shape = shapeFor(filter, question.by, span) ?? details
      const list = all.map(({ place, uses }, at) => [at, ...place, uses[0]?.sign ?? 0])
      const statement = sql`
    select ${select} from (
      select ${numberCell(0)} as id, ${numberCell(1)} as first, ${numberCell(2)} as beyond, ${numberCell(3)} as sign
      from ${rowsOf(tx, list)} ${isSqlite(tx) ? sql`limit -1` : sql`offset 0`}
    ) as piece ${ofPieces(tx, shape, span, filter)} ${after}`
      return [{ statement, uses: all.map(({ uses }) => uses) }]
    })
  })
}
