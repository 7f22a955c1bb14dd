import type { Context } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { offsetOf, pageFrom } from '#server/db/page.ts'
import { reading } from '#server/db/reading.ts'
import { noSums, type Sums } from '#server/db/usage/cells.ts'
import type { UsageFilter } from '#server/db/usage/filter.ts'
import type { Bucket } from '#server/db/usage/pieces.ts'
import { prepare, readCells, readSums } from '#server/db/usage/read.ts'
import type { Actor } from '#server/http/call.ts'
import type { UsageRow, UsageSummary, usageApi } from '#shared/api/usage.ts'
import type { InputOf } from '#shared/contract.ts'
import type { Page } from '#shared/pagination.ts'
import { isAdmin } from '#shared/roles.ts'
import { forecastOf } from './forecast.ts'
import { columnFor, largest, narrowed, orderOf } from './largest.ts'
import { percentiles, shares, totalsFor } from './present.ts'
import { filterFor, rangeOf, scopeFor, zoneOf } from './scope.ts'
import { keyText, labelsOf } from './usage.store.ts'

async function totalOf(tx: Tx, filter: UsageFilter, bucket: Bucket): Promise<Sums> {
  const [row] = await readSums(tx, await prepare(tx, { filter, buckets: [bucket], by: null }))
  return row ?? noSums()
}

/** What lies right before the period and is as long, as far as there is such a time; or as long a time from elsewhere. */
function comparedWith({ from, to }: Bucket, compareFrom: number | undefined): Bucket {
  const length = to - from
  return compareFrom === undefined
    ? { from: Math.max(0, from - length), to: from }
    : { from: compareFrom, to: compareFrom + length }
}

export async function summary(
  ctx: Context,
  actor: Actor,
  input: InputOf<typeof usageApi.summary>,
): Promise<UsageSummary> {
  const scope = await scopeFor(ctx, actor, input.scope)
  const filter = await filterFor(ctx, actor, scope, input)
  const range = rangeOf(ctx, input)
  const compared = comparedWith(range, input.compare_from)
  const admin = isAdmin(actor.role)
  return reading(ctx, async (tx) => {
    const question = await prepare(tx, { filter, buckets: [range], by: null })
    const { sums, ...times } = (await readCells(tx, question))(0, '')
    const before = compared.from < compared.to ? await totalOf(tx, filter, compared) : noSums()
    return {
      totals: totalsFor(admin, sums),
      before: totalsFor(admin, before),
      forecast: scope.kind === 'all' ? null : await forecastOf(ctx, tx, filter, zoneOf(ctx, input)),
      ...shares(sums),
      ...percentiles(times),
    }
  })
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
        key: keyText(input.by, key),
        label: labelOf(key),
        ...totalsFor(admin, sums),
        ...shares(sums),
        ...percentiles(times),
      }
    })
    return pageFrom(input, list, total)
  })
}
