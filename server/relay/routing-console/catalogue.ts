import type { z } from 'zod'
import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import { priceAmounts, tierAmounts } from '#server/billing/pricing/price-amounts.ts'
import { epochSeconds } from '#server/context.ts'
import { pageFrom } from '#server/db/page.ts'
import type { Actor } from '#server/http/call.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { modelFacts } from '#server/providers/model-facts.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { priceThrough } from '#server/relay/routing/plan.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import type { CatalogueModel, modelsApi } from '#shared/api/models.ts'
import { commaList } from '#shared/comma-list.ts'
import { AppError } from '#shared/errors.ts'
import { vendorOf } from '#shared/model-vendors.ts'
import { type Performance, readHours, readPerformance, readUserGroups } from './routing-console.store.ts'

/** The models a person can reach, with prices and availability; nothing in it says which channels there are. */
export async function cataloguePage(
  context: RelayContext,
  actor: Actor | null,
  { keyword, vendor, ability, ...page }: z.output<typeof modelsApi.list.input>,
): Promise<z.output<typeof modelsApi.list.output>> {
  const { ctx } = context
  if (!actor && !ctx.options().ModelPagePublic) throw new AppError('auth.required')
  const groups = actor ? commaList((await readUserGroups(ctx.database.db, actor.id))?.group ?? '') : []
  const own = groups.length > 0 ? groups : ['default']
  const table = await context.routing.table()
  const to = epochSeconds(ctx) + 1
  const fared = await readPerformance(ctx, { from: to - daySeconds, to }, { filter: [], by: 'model_name' })
  const hours = await readHours(ctx, to)
  const book = context.prices()
  const reachable = table
    .modelsOf(own)
    .flatMap(
      (model) =>
        entryOf(context, { model, groups: own, candidates: table.candidates(own, model) }, fared.get(model)) ?? [],
    )
    .toSorted((a, b) => compareText(a.vendor, b.vendor) || compareText(a.id, b.id))
  const wanted = keyword.toLowerCase()
  const models = reachable.filter(
    (model) =>
      model.id.toLowerCase().includes(wanted) &&
      (vendor === '' || model.vendor === vendor) &&
      (ability === '' || abilitiesOf(model).includes(ability)),
  )
  const start = (page.page - 1) * page.pagesize
  const shown = models.slice(start, start + page.pagesize)
  return {
    ...pageFrom(
      page,
      shown.map((model) => ({ ...model, hours: hours(model.id) })),
      models.length,
    ),
    vendors: [...new Set(reachable.map((model) => model.vendor))].filter(Boolean),
    abilities: [...new Set(reachable.flatMap(abilitiesOf))].toSorted(),
    groups: own,
    group_ratio: Math.min(...own.map((group) => book.groupRatio(group))),
  }
}

type Entry = Omit<CatalogueModel, 'hours'>

const abilitiesOf = ({ input, features }: Entry): string[] => [...input, ...features]

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A model, and the channels that carry it for some groups. */
interface Reachable {
  readonly model: string
  readonly groups: readonly string[]
  readonly candidates: readonly RoutedChannel[]
}

/** Null for a model without a price: nobody can use it. */
function entryOf(
  context: RelayContext,
  { model, groups, candidates }: Reachable,
  fared: Performance | undefined,
): Entry | null {
  const book = context.prices()
  const price = candidates.map((channel) => priceThrough(book, channel, model)).find((found) => found !== null)
  if (!price) return null
  const reaching = groups.filter((group) => candidates.some((channel) => channel.groups.includes(group)))
  const ratio = Math.min(...reaching.map((group) => book.groupRatio(group)))
  const { input_usd, output_usd, cache_read_usd, cache_write_usd } = priceAmounts(price, ratio)
  const facts = modelFacts(model)
  return {
    id: model,
    vendor: vendorOf(model),
    context: facts?.context ?? null,
    max_output: facts?.maxOutput ?? null,
    input: ['text', ...(facts?.input ?? [])],
    features: [...(facts?.features ?? [])],
    price: {
      input_usd,
      cached_usd: cache_read_usd,
      output_usd,
      cache_write_usd,
      unit: price.unit,
      tiers: tiersOf(price, ratio),
    },
    first_byte_p50_ms: fared?.firstByteP50 ?? null,
    first_byte_p95_ms: fared?.firstByteP95 ?? null,
    tokens_per_second: fared?.tokensPerSecond ?? null,
    requests: fared?.requests ?? 0,
    availability: fared ? 1 - fared.failed / fared.requests : null,
  }
}

/** Ranges of input sizes above the first, where a model is sold by tokens and has some. */
function tiersOf({ unit, tiers }: ModelPrice, ratio: number): CatalogueModel['price']['tiers'] {
  if (unit !== 'token') return []
  return tiers.slice(1).map((tier) => {
    const { cache_read_usd, ...amounts } = tierAmounts(tier, ratio)
    return { above: tier.above, cached_usd: cache_read_usd, ...amounts }
  })
}
