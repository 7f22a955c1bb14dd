import type { z } from 'zod'
import { publicPrice } from '#server/billing/pricing/list-cost.ts'
import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import { priceOptions, shelfOf } from '#server/billing/pricing/own-prices.ts'
import type { PriceBook } from '#server/billing/pricing/price.ts'
import { priceAmounts } from '#server/billing/pricing/price-amounts.ts'
import { priceBookOf } from '#server/billing/pricing/price-book.ts'
import { setTokenPrice } from '#server/billing/pricing/stored-prices.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { firstAmong, sharesOf } from '#server/relay/routing/decide.ts'
import { fallbacksOf } from '#server/relay/routing/fallbacks.ts'
import { priceThrough } from '#server/relay/routing/plan.ts'
import { idealConditions } from '#server/relay/routing/routing-conditions.ts'
import { createTable, type RoutedChannel, type RoutingTable } from '#server/relay/routing/routing-table.ts'
import type { RouteFigures, routingApi, SimulatedRouting } from '#shared/api/routing.ts'
import { commaList } from '#shared/comma-list.ts'
import { invalid } from '#shared/errors.ts'
import type { OptionValues } from '#shared/options.ts'
import { type BusyTimes, readBusyTimes } from './busy-times.ts'
import { fullTimes } from './full-times.ts'
import { type Performance, readPerformance, readTraffic, type Traffic } from './routing-console.store.ts'

type Draft = z.output<typeof routingApi.simulate.input>

/** The channels and prices a simulation uses. */
interface Rules {
  readonly table: RoutingTable
  readonly book: PriceBook
}

interface Sum {
  requests: number
  quota: number
  cost: number
  /** Requests by stretch of time. */
  readonly slots: Map<number, number>
  /** The channels asked when it is full. */
  readonly instead: Set<number>
}

const noSum = (): Sum => ({ requests: 0, quota: 0, cost: 0, slots: new Map(), instead: new Set() })

/** What the draft would have meant for the traffic of a time: expected shares, nobody resting and nobody at a limit. */
export async function simulateRouting(context: RelayContext, draft: Draft): Promise<SimulatedRouting> {
  const { ctx } = context
  if (draft.from >= draft.to) throw invalid('usage.range')
  const table = await context.routing.table()
  const now: Rules = { table, book: context.prices() }
  const then: Rules = { table: changedTable(table, draft), book: changedBook(ctx.options(), draft) }
  const traffic = await readTraffic(ctx, draft.from, draft.to)
  const busy = await readBusyTimes(ctx, draft)
  const fared = await readPerformance(ctx, draft, { filter: [], by: 'channel' })
  const sent = { traffic, busy, charged: now }
  const [before, after] = [spread(context, now, sent), spread(context, then, sent)]
  const both = <Value>(read: (sums: ReadonlyMap<number, Sum>) => Value) => ({
    now: read(before.channels),
    // biome-ignore lint/suspicious/noThenProperty: a word of the contract
    then: read(after.channels),
  })
  const [nowOf, thenOf] = [figuresOf(before.channels), figuresOf(after.channels)]
  const ids = new Set([...before.channels.keys(), ...after.channels.keys(), ...draft.channels.map(({ id }) => id)])
  return {
    channels: [...ids].map((id) => ({
      channel_id: id,
      name: table.channels.get(id)?.name ?? '',
      now: nowOf(id),
      // biome-ignore lint/suspicious/noThenProperty: a word of the contract
      then: thenOf(id),
      peak: both((sums) => peakOf(sums.get(id), busy.minutes)),
      rpm: table.channels.get(id)?.limits.rpm ?? 0,
      full: fullOf(then.table, after.channels.get(id), busy, id),
    })),
    total: compared(total(before), total(after, [])),
    failed: both((sums) => expected(sums, fared, ({ failed, requests }) => failed / requests)),
    first_byte_ms: both((sums) => expected(sums, fared, ({ firstByteP50 }) => firstByteP50)),
    unserved: after.unserved.map(({ model, group, requests }) => ({ model, group, requests })),
  }
}

/** The busiest stretch, as requests a minute to a hundredth. */
const peakOf = (sum: Sum | undefined, minutes: number): number =>
  Number((Math.max(0, ...(sum?.slots.values() ?? [])) / minutes).toFixed(2))

/** When it would be full with the draft, and who is asked then. */
function fullOf(
  table: RoutingTable,
  sum: Sum | undefined,
  { stretches }: BusyTimes,
  id: number,
): SimulatedRouting['channels'][number]['full'] {
  const full = sum && fullTimes(sum.slots, stretches, table.channels.get(id)?.limits.rpm ?? 0)
  if (!full) return null
  const { minutes, worst } = full
  return { minutes, worst, instead: [...sum.instead].map((other) => table.channels.get(other)?.name ?? '') }
}

/** The mean over channels of what is known of each, by the requests each would get; null when nothing is. */
function expected(
  sums: ReadonlyMap<number, Sum>,
  fared: ReadonlyMap<string | number, Performance>,
  measure: (fared: Performance) => number | null,
): number | null {
  const known = [...sums].flatMap(([id, { requests }]) => {
    const channel = fared.get(id)
    const value = channel ? measure(channel) : null
    return value === null ? [] : [{ requests, value }]
  })
  const requests = known.reduce((sum, each) => sum + each.requests, 0)
  return requests === 0 ? null : known.reduce((sum, each) => sum + each.requests * each.value, 0) / requests
}

/** The same channels with the draft's changes. */
function changedTable(table: RoutingTable, { channels }: Pick<Draft, 'channels'>): RoutingTable {
  const changed = new Map(table.channels)
  for (const { id, group, models, cost_ratio, priority, weight, status } of channels) {
    const channel = changed.get(id)
    if (!channel) throw invalid('batch.unknown_id', { id }, 'channels')
    changed.set(id, {
      ...channel,
      priority: priority ?? channel.priority,
      weight: weight ?? channel.weight,
      status: status ?? channel.status,
      costRatio: cost_ratio ?? channel.costRatio,
      groups: group === undefined ? channel.groups : commaList(group),
      models: models === undefined ? channel.models : new Set(commaList(models)),
    })
  }
  return createTable([...changed.values()])
}

function changedBook(options: OptionValues, { prices = {} }: Pick<Draft, 'prices'>): PriceBook {
  const shelf = shelfOf(options)
  for (const [model, price] of Object.entries(prices)) {
    const problem = setTokenPrice(shelf, model, price)
    if (problem) throw invalid(problem, { model }, 'prices')
  }
  const changed = Object.fromEntries(priceOptions.map((key) => [key, Object.fromEntries(shelf[key])]))
  return priceBookOf({ ...options, ...changed })
}

/** What was asked for, when, and by which prices it was charged. */
interface Sent {
  readonly traffic: readonly Traffic[]
  readonly busy: BusyTimes
  readonly charged: Rules
}

type Wanted = Pick<Traffic, 'model' | 'group'>

/** Distributes past traffic by the given rules. Revenue is computed from the prices it was charged at. */
function spread(context: RelayContext, rules: Rules, { traffic, busy, charged }: Sent) {
  const channels = new Map<number, Sum>()
  const unserved: Traffic[] = []
  const fallbacks = context.ctx.options().ModelFallbacks
  for (const cell of traffic) {
    const served = [cell.model, ...fallbacksOf(fallbacks, cell.model)]
      .map((model) => ({ model, first: firstFor(context, rules, { model, group: cell.group }) }))
      .find(({ first }) => first.length > 0)
    if (!served) {
      unserved.push(cell)
      continue
    }
    const { model, first } = served
    for (const [at, share] of sharesOf(first).entries()) {
      const channel = first[at]
      if (!channel) continue
      const sum = channels.get(channel.id) ?? noSum()
      sum.requests += cell.requests * share
      sum.quota += quotaOf(cell, { model, channel }, rules, charged) * share
      sum.cost += costOf(cell, channel.mapping.get(model) ?? model) * channel.costRatio * share
      for (const [slot, requests] of busy.of(cell.model, cell.group))
        sum.slots.set(slot, (sum.slots.get(slot) ?? 0) + requests * share)
      for (const other of firstFor(context, rules, { model, group: cell.group }, new Set([channel.id])))
        sum.instead.add(other.id)
      channels.set(channel.id, sum)
    }
  }
  return { channels, unserved }
}

function firstFor(context: RelayContext, { table, book }: Rules, cell: Wanted, full?: ReadonlySet<number>) {
  const { model, group } = cell
  const candidates = table.candidates([group], model).filter((channel) => priceThrough(book, channel, model) !== null)
  return firstAmong(candidates, idealConditions(context, model), full)
}

/** Quota of a cell at a price, before the ratio of the group. */
function worth(
  price: ModelPrice,
  { requests, failed, prompt_tokens, cached_tokens, completion_tokens }: Traffic,
): number {
  const { input_usd, output_usd, cache_read_usd } = priceAmounts(price)
  if (price.perRequest) return (requests - failed) * (input_usd ?? 0) * 500_000
  if (price.unit !== 'token') return 0
  const usd =
    (prompt_tokens - cached_tokens) * (input_usd ?? 0) +
    cached_tokens * (cache_read_usd ?? input_usd ?? 0) +
    completion_tokens * (output_usd ?? 0)
  return usd / 2
}

/** The charged amount, scaled by the change of price. */
function quotaOf(
  cell: Traffic,
  { model, channel }: { readonly model: string; readonly channel: RoutedChannel },
  rules: Rules,
  charged: Rules,
): number {
  const price = priceThrough(rules.book, channel, model)
  const before = charged.book.priceOf(cell.model) ?? priceThrough(charged.book, channel, cell.model)
  if (!price) return 0
  const [was, is] = [before ? worth(before, cell) : 0, worth(price, cell)]
  if (was === is) return cell.quota
  return was > 0 && cell.quota > 0 ? (cell.quota * is) / was : is * rules.book.groupRatio(cell.group)
}

/** The public price of what the vendor was asked for; nothing where no list knows it. */
function costOf(cell: Traffic, upstream: string): number {
  const price = publicPrice(upstream)
  return price ? worth(price, cell) : 0
}

/** Of all channels, and of what was answered by channels that are gone and nobody would answer today. */
function total({ channels, unserved }: ReturnType<typeof spread>, gone: readonly Traffic[] = unserved): Sum {
  const sum = noSum()
  for (const { requests, quota, cost } of [...channels.values(), ...gone]) {
    sum.requests += requests
    sum.quota += quota
    sum.cost += cost
  }
  return sum
}

// biome-ignore lint/suspicious/noThenProperty: a word of the contract
const compared = (before: Sum, after: Sum) => ({ now: figures(before), then: figures(after) })

/** Shares of requests are expectations: they are shown to a thousandth. */
function figures({ requests, quota, cost }: Sum): RouteFigures {
  const [earned, paid] = [Math.round(quota), Math.round(cost)]
  return { requests: Number(requests.toFixed(3)), quota: earned, cost: paid, profit: earned - paid }
}

/** The figures of each channel, rounded one after the other so that they add up to the total. */
function figuresOf(channels: ReadonlyMap<number, Sum>): (id: number) => RouteFigures {
  const found = new Map<number, RouteFigures>()
  let [quota, cost] = [0, 0]
  for (const [id, sum] of channels) {
    const earned = Math.round(quota + sum.quota) - Math.round(quota)
    const paid = Math.round(cost + sum.cost) - Math.round(cost)
    found.set(id, { ...figures(sum), quota: earned, cost: paid, profit: earned - paid })
    quota += sum.quota
    cost += sum.cost
  }
  return (id) => found.get(id) ?? figures(noSum())
}
