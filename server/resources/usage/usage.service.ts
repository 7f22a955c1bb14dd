import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { offsetOf, pageFrom } from '#server/db/page.ts'
import { reading } from '#server/db/reading.ts'
import { addSums, noSums, type SumName, type Sums, sumNames } from '#server/db/usage/cells.ts'
import type { UsageFilter } from '#server/db/usage/filter.ts'
import type { UsageKey, UsageQuestion } from '#server/db/usage/parts.ts'
import type { Bucket } from '#server/db/usage/pieces.ts'
import { prepare, readCells, readSums, sumsStatement, type UsageSums, usersOfTokens } from '#server/db/usage/read.ts'
import type { Actor } from '#server/http/call.ts'
import { zoneBuckets } from '#server/lib/time/zone-buckets.ts'
import type { UsageBy, UsageRow, UsageSeries, UsageSummary, usageApi } from '#shared/api/usage.ts'
import type { InputOf, OutputOf } from '#shared/contract.ts'
import { AppError, invalid } from '#shared/errors.ts'
import type { Page } from '#shared/pagination.ts'
import { isAdmin } from '#shared/roles.ts'
import { forecastOf } from './forecast.ts'
import { percentiles, shares, totalsFor } from './present.ts'
import { filterFor, rangeOf, scopeFor, zoneOf } from './scope.ts'
import { labelsOf } from './usage.store.ts'

const columns: Record<UsageBy, UsageKey | null> = {
  none: null,
  model: 'model_name',
  token: 'token_id',
  user: 'user_id',
  channel: 'channel',
  group: 'group',
  team: 'team_id',
}

async function totalOf(tx: Tx, filter: UsageFilter, bucket: Bucket): Promise<Sums> {
  const [row] = await readSums(tx, await prepare(tx, { filter, buckets: [bucket], by: null }))
  return row ?? noSums()
}

export async function summary(
  ctx: Context,
  actor: Actor,
  input: InputOf<typeof usageApi.summary>,
): Promise<UsageSummary> {
  const scope = await scopeFor(ctx, actor, input.scope)
  const filter = await filterFor(ctx, actor, scope, input)
  const range = rangeOf(ctx, input)
  const length = range.to - range.from
  const compareFrom = input.compare_from ?? Math.max(0, range.from - length)
  const admin = isAdmin(actor.role)
  return reading(ctx, async (tx) => {
    const question = await prepare(tx, { filter, buckets: [range], by: null })
    const { sums, ...times } = (await readCells(tx, question))(0, '')
    const before = await totalOf(tx, filter, { from: compareFrom, to: compareFrom + length })
    return {
      totals: totalsFor(admin, sums),
      before: totalsFor(admin, before),
      forecast: scope.kind === 'all' ? null : await forecastOf(ctx, tx, filter, zoneOf(ctx, input)),
      ...shares(sums),
      ...percentiles(times),
    }
  })
}

const profitNames: readonly string[] = ['cost', 'profit', 'margin']

/** The order of rows, largest first, and the sums it is made of. */
interface Order {
  readonly by: RawBuilder<unknown>
  readonly names: readonly SumName[]
}

function orderOf(actor: Actor, name: string): Order {
  if (profitNames.includes(name) && !isAdmin(actor.role)) throw new AppError('auth.forbidden')
  const both = ['requests', 'quota', 'cost'] as const
  if (name === 'profit') return { by: sql`quota - cost`, names: both }
  if (name === 'margin')
    return { by: sql`case when quota = 0 then 0.0 else 1.0 * (quota - cost) / quota end`, names: both }
  return { by: sql.ref(name), names: sumNames.filter((each) => each === name || each === 'requests') }
}

function columnFor(actor: Actor, by: UsageBy): UsageKey | null {
  if (by === 'channel' && !isAdmin(actor.role)) throw new AppError('auth.forbidden')
  return columns[by]
}

/** A question about some keys only. */
async function narrowed(tx: Tx, question: UsageQuestion, values: readonly (string | number)[]): Promise<UsageQuestion> {
  const { filter, by } = question
  if (by === null) return question
  const lead = by === 'token_id' ? await usersOfTokens(tx, values) : []
  return { ...question, filter: [...filter, { column: by, values, leaveOut: false }], lead }
}

/** The keys of a question over one bucket, largest first, and how many there are. */
async function largest(
  tx: Tx,
  question: UsageQuestion,
  order: Order,
  { take, skip }: { take: number; skip: number },
): Promise<{ keys: (string | number)[]; total: number }> {
  const all = sumsStatement(tx, await prepare(tx, question), order.names)
  const { rows } = await sql<{ key: string | number; total: number }>`
    select key, count(*) over () as total from (${all}) as found
    order by ${order.by} desc, requests desc, key limit ${take} offset ${skip}`.execute(tx)
  return { keys: rows.map(({ key }) => key), total: rows[0]?.total ?? 0 }
}

export async function table(
  ctx: Context,
  actor: Actor,
  input: InputOf<typeof usageApi.table>,
): Promise<Page<UsageRow>> {
  const by = columnFor(actor, input.by)
  const order = orderOf(actor, input.order)
  const filter = await filterFor(ctx, actor, await scopeFor(ctx, actor, input.scope), input)
  const question = { filter, buckets: [rangeOf(ctx, input)], by }
  const admin = isAdmin(actor.role)
  return reading(ctx, async (tx) => {
    const { keys, total } = await largest(tx, question, order, { take: input.pagesize, skip: offsetOf(input) })
    const labelOf = await labelsOf(tx, input.by, keys)
    const cellOf = await readCells(tx, await prepare(tx, await narrowed(tx, question, keys)))
    const list = keys.map((key) => {
      const { sums, ...times } = cellOf(0, key)
      return {
        key: String(key),
        label: labelOf(key),
        ...totalsFor(admin, sums),
        ...shares(sums),
        ...percentiles(times),
      }
    })
    return pageFrom(input, list, total)
  })
}

const bucketsMax = 5000

const seriesOf = (admin: boolean, key: string, label: string, sums: readonly Sums[]): UsageSeries => {
  const all = sums.map((each) => {
    const { margin: _, ...values } = totalsFor(admin, each)
    return values
  })
  const names = Object.keys(all[0] ?? {}) as (keyof (typeof all)[number])[]
  return { key, label, values: Object.fromEntries(names.map((name) => [name, all.map((each) => each[name] ?? 0)])) }
}

/** Sums of each bucket; those without a request are 0. */
function inBuckets(count: number, rows: readonly UsageSums[]): Sums[] {
  const found = Array.from({ length: count }, noSums)
  for (const row of rows) addSums(found[row.bucket] ?? noSums(), row)
  return found
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
  const admin = isAdmin(actor.role)
  const starts = buckets.map(({ start }) => start)
  return reading(ctx, async (tx) => {
    const everything = async () =>
      inBuckets(buckets.length, await readSums(tx, await prepare(tx, { filter, buckets, by: null })))
    if (by === null) return { buckets: starts, series: [seriesOf(admin, 'all', '', await everything())] }
    const top = await largest(tx, { filter, buckets: [range], by }, order, { take: input.top, skip: 0 })
    const { keys } = top
    const labelOf = await labelsOf(tx, input.by, keys)
    const rows = await readSums(tx, await prepare(tx, await narrowed(tx, { filter, buckets, by }, keys)))
    const lines = keys.map((key) =>
      inBuckets(
        buckets.length,
        rows.filter((row) => row.key === key),
      ),
    )
    const named = keys.map((key, at) => seriesOf(admin, String(key), labelOf(key), lines[at] ?? []))
    if (top.total <= keys.length) return { buckets: starts, series: named }
    const rest = await everything()
    for (const line of lines) for (const [at, sums] of line.entries()) addSums(rest[at] ?? noSums(), sums, -1)
    return { buckets: starts, series: [...named, seriesOf(admin, 'other', 'other', rest)] }
  })
}
