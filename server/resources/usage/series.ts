import type { Context } from '#server/context.ts'
import { reading } from '#server/db/reading.ts'
import { addSums, attemptsIn, noSums, type Sums } from '#server/db/usage/cells.ts'
import { prepare, readSums, type UsageSums } from '#server/db/usage/read.ts'
import { percentile, type Tally, tallyOf } from '#server/db/usage/times.ts'
import type { Actor } from '#server/http/call.ts'
import { zoneBuckets } from '#server/lib/time/zone-buckets.ts'
import type { FirstByteSeries, UsageSeries, usageApi } from '#shared/api/usage.ts'
import type { InputOf, OutputOf } from '#shared/contract.ts'
import { invalid } from '#shared/errors.ts'
import { isAdmin } from '#shared/roles.ts'
import { columnFor, largest, narrowed, orderOf } from './largest.ts'
import { totalsFor } from './present.ts'
import { filterFor, rangeOf, scopeFor, zoneOf } from './scope.ts'
import { keyText, labelsOf } from './usage.store.ts'

const bucketsMax = 5000
/** Of all series together: each takes time to be added up and written. */
const pointsMax = 60_000

/** What is known of a bucket. */
interface Point {
  readonly sums: Sums
  readonly firstByte: Tally
}

/** Points added up or taken away. */
function pointOf(parts: readonly (readonly [point: Point, sign: number])[]): Point {
  const sums = noSums()
  for (const [point, sign] of parts) addSums(sums, point.sums, sign)
  return { sums, firstByte: tallyOf(parts.map(([{ firstByte }, sign]) => [firstByte, sign])) }
}

function valuesOf(admin: boolean, points: readonly Point[]): UsageSeries['values'] {
  const all = points.map(({ sums }) => {
    const { margin: _, ...values } = totalsFor(admin, sums)
    return values
  })
  const names = Object.keys(all[0] ?? {}) as (keyof (typeof all)[number])[]
  return Object.fromEntries(names.map((name) => [name, all.map((each) => each[name] ?? 0)]))
}

function attemptsOf(points: readonly Point[]): NonNullable<UsageSeries['attempts']> {
  const all = points.map(({ sums }) => attemptsIn(sums))
  return { made: all.map(({ made }) => made), failed: all.map(({ failed }) => failed) }
}

function firstByteOf(points: readonly Point[]): FirstByteSeries {
  const period = tallyOf(points.map(({ firstByte }) => [firstByte, 1]))
  const at = (share: number) => points.map(({ firstByte }) => percentile(firstByte, share))
  return {
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    period_p50_ms: percentile(period, 0.5),
    period_p95_ms: percentile(period, 0.95),
  }
}

/** A point a bucket; those without a request are 0. */
function inBuckets(length: number, rows: readonly UsageSums[]): Point[] {
  const found = Map.groupBy(rows, ({ bucket }) => bucket)
  return Array.from({ length }, (_, at) => {
    const points = (found.get(at) ?? []).map((row): Point => ({ sums: row, firstByte: row.firstByte }))
    const [only] = points
    return only && points.length === 1 ? only : pointOf(points.map((point) => [point, 1]))
  })
}

export async function series(
  ctx: Context,
  actor: Actor,
  input: InputOf<typeof usageApi.series>,
): Promise<OutputOf<typeof usageApi.series>> {
  const by = columnFor(actor, input.by)
  const order = orderOf(actor, input.order)
  const filter = await filterFor(ctx, actor, await scopeFor(ctx, actor, input.scope), input)
  const range = rangeOf(ctx, input)
  const buckets = zoneBuckets(zoneOf(ctx, input), input.step, range, bucketsMax)
  if (!buckets) throw invalid('usage.buckets', { max: bucketsMax })
  const timed = input.first_byte === 'true'
  const seriesOf = (key: string, label: string, points: readonly Point[]): UsageSeries => ({
    key,
    label,
    values: valuesOf(isAdmin(actor.role), points),
    ...(timed ? { first_byte: firstByteOf(points) } : {}),
    ...(by === 'channel' ? { attempts: attemptsOf(points) } : {}),
  })
  const answer = (list: UsageSeries[], all: readonly Point[]) => ({
    buckets: buckets.map(({ start }) => start),
    series: list,
    ...(timed ? { first_byte: firstByteOf(all) } : {}),
  })
  return reading(ctx, async (tx) => {
    const everything = async () =>
      inBuckets(buckets.length, await readSums(tx, await prepare(tx, { filter, buckets, by: null }), timed))
    if (by === null) {
      const all = await everything()
      return answer([seriesOf('all', '', all)], all)
    }
    const { keys, total } = await largest(tx, { filter, buckets: [range], by }, order, { take: input.top, skip: 0 })
    const most = Math.floor(pointsMax / (keys.length + 1))
    if (buckets.length > most) throw invalid('usage.buckets', { max: most })
    const labelOf = await labelsOf(tx, input.by, keys)
    const rows = await readSums(tx, await prepare(tx, await narrowed(tx, { filter, buckets, by }, keys)), timed)
    const byKey = Map.groupBy(rows, ({ key }) => key)
    const lines = keys.map((key) => ({ key, points: inBuckets(buckets.length, byKey.get(key) ?? []) }))
    const named = lines.map(({ key, points }) => seriesOf(keyText(input.by, key), labelOf(key), points))
    if (total <= keys.length) return answer(named, inBuckets(buckets.length, rows))
    const all = await everything()
    const rest = all.map((point, at) =>
      pointOf([
        [point, 1],
        ...lines.flatMap(({ points }) => points.slice(at, at + 1)).map((less) => [less, -1] as const),
      ]),
    )
    const { attempts: _, ...others } = seriesOf('other', 'other', rest)
    return answer([...named, others], all)
  })
}
