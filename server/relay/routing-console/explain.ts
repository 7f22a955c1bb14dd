import type { z } from 'zod'
import { listedCostPerMillion } from '#server/billing/pricing/list-cost.ts'
import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import { roundUsd } from '#server/billing/pricing/own-prices.ts'
import type { PriceBook } from '#server/billing/pricing/price.ts'
import { priceAmounts, tierAmounts } from '#server/billing/pricing/price-amounts.ts'
import { epochSeconds } from '#server/context.ts'
import { modelFacts } from '#server/providers/model-facts.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { chosenGroups } from '#server/relay/request/chosen-groups.ts'
import { whyOutside } from '#server/relay/routing/candidates-text.ts'
import { firstAmong, sharesOf } from '#server/relay/routing/decide.ts'
import { fallbacksOf } from '#server/relay/routing/fallbacks.ts'
import { priceThrough } from '#server/relay/routing/plan.ts'
import { conditionsNow, passingOver } from '#server/relay/routing/routing-conditions.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { standingsOf } from '#server/relay/routing/standings.ts'
import type { ExplainedRoute, RouteCandidate, routingApi } from '#shared/api/routing.ts'
import { commaList } from '#shared/comma-list.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { type Standing, sentenceOf } from '#shared/routing-reasons.ts'
import { apiOf, explainApi } from './explain-api.ts'
import { fullNow } from './full-now.ts'
import { restsUntil } from './resting.ts'
import { type Performance, readPerformance, readTokenReach, readUserGroups } from './routing-console.store.ts'

type ExplainInput = z.output<typeof routingApi.explain.input>

/** What somebody reaches: groups, and models when only some are allowed. */
interface Reach {
  readonly groups: readonly string[]
  readonly models: ReadonlySet<string> | null
}

const groupsOf = (text: string): string[] => {
  const groups = commaList(text)
  return groups.length > 0 ? groups : ['default']
}

async function reachOf({ ctx }: RelayContext, { user_id, token_id, group }: ExplainInput): Promise<Reach> {
  if ([user_id, token_id, group].filter((value) => value !== undefined).length > 1) throw invalid('routing.who')
  if (token_id !== undefined) {
    const token = await readTokenReach(ctx.database.db, token_id)
    if (!token) throw new AppError('token.not_found')
    const groups = chosenGroups(groupsOf(token.group), token.tokenGroup)
    const models = commaList(token.models)
    return { groups, models: models.length > 0 ? new Set(models) : null }
  }
  if (user_id === undefined) return { groups: [group ?? 'default'], models: null }
  const user = await readUserGroups(ctx.database.db, user_id)
  if (!user) throw new AppError('user.not_found')
  return { groups: groupsOf(user.group), models: null }
}

const hourSeconds = 3600

/** Which way a request for a model would take now, by the very function the relay asks. */
export async function explainRoute(context: RelayContext, wish: ExplainInput): Promise<ExplainedRoute> {
  const { ctx } = context
  const { model } = wish
  const { groups, models } = await reachOf(context, wish)
  const table = await context.routing.table()
  const book = context.prices()
  const isAllowed = models === null || models.has(model)
  const priced = table.candidates(groups, model).filter((channel) => priceThrough(book, channel, model) !== null)
  const decisions = new Map(table.carrying(model).map((channel) => [channel, explainApi(context, channel, wish)]))
  const lacksApi = (channel: RoutedChannel) => 'out' in (decisions.get(channel) ?? {})
  const candidates = isAllowed ? priced.filter((channel) => !lacksApi(channel)) : []
  const full = await fullNow(context, candidates, wish.prompt_tokens ?? 1)
  const conditions = passingOver(conditionsNow(context, model, null), full)
  const first = firstAmong(candidates, conditions)
  const shares = sharesOf(first)
  const standings = standingsOf(candidates, conditions)
  const to = epochSeconds(ctx) + 1
  const filter = [{ column: 'model_name' as const, values: [model], leaveOut: false }]
  const fared = await readPerformance(ctx, { from: to - hourSeconds, to }, { filter, by: 'channel' })
  const standingOf = (channel: RoutedChannel): Standing =>
    standings.get(channel) ?? outside(book, channel, { model, groups, isAllowed, lacksApi: lacksApi(channel) })
  const rows = table.carrying(model).map((channel) => ({
    ...describe(context, channel, standingOf(channel)),
    ...performanceOf(fared.get(channel.id)),
    ...costThrough(channel, model),
    ...apiOf(decisions.get(channel)),
    probability: shares[first.indexOf(channel)] ?? 0,
  }))
  const standIns = fallbacksOf(ctx.options().ModelFallbacks, model)
  const [one] = candidates
  const price = book.priceOf(model) ?? (one ? priceThrough(book, one, model) : null)
  const amounts = price && amountsFor(price, wish.prompt_tokens)
  const ratio = groups.length === 0 ? 1 : Math.min(...groups.map((group) => book.groupRatio(group)))
  return {
    price: price && amounts && { unit: price.unit, input_usd: amounts.input_usd, output_usd: amounts.output_usd },
    ...fitOf(wish),
    prompt_quota: price && promptQuota(price, wish.prompt_tokens, ratio),
    not_carrying: table.channels.size - rows.length,
    candidates: rows.toSorted(byState),
    fallbacks: isAllowed ? standIns.filter((name) => models === null || models.has(name)) : [],
    strategy: conditions.strategy,
    groups: [...groups],
    group_ratio: ratio,
  }
}

const tierFor = ({ tiers }: ModelPrice, tokens: number) => tiers.findLast(({ above }) => tokens > above) ?? tiers[0]

/** Prices for a prompt of this length. */
const amountsFor = (price: ModelPrice, tokens = 0) =>
  price.unit === 'token' ? tierAmounts(tierFor(price, tokens)) : priceAmounts(price)

/** A dollar a million tokens is half a quota a token. */
function promptQuota(price: ModelPrice, tokens: number | undefined, ratio: number): number | null {
  if (tokens === undefined || price.unit !== 'token') return null
  return Math.ceil((tokens * tierAmounts(tierFor(price, tokens)).input_usd * ratio) / 2)
}

/** Whether the model does what is needed and takes so long a prompt, as far as anybody knows. */
function fitOf({ model, prompt_tokens = 0, needs = [] }: ExplainInput) {
  const facts = modelFacts(model)
  const abilities: readonly string[] = facts ? [...facts.input, ...facts.features] : needs
  return {
    lacking: needs.filter((need) => !abilities.includes(need)),
    context_exceeded: facts && prompt_tokens > facts.context ? facts.context : null,
  }
}

/** Why a channel that carries the model is not even a candidate. */
function outside(
  book: PriceBook,
  channel: RoutedChannel,
  {
    model,
    groups,
    isAllowed,
    lacksApi,
  }: {
    readonly model: string
    readonly groups: readonly string[]
    readonly isAllowed: boolean
    readonly lacksApi: boolean
  },
): Standing {
  const standing = whyOutside(channel, groups)
  if (standing.reason !== 'operation') return standing
  if (!isAllowed) return { state: 'out', reason: 'token' }
  if (priceThrough(book, channel, model) === null) return { state: 'out', reason: 'price' }
  return lacksApi ? { state: 'out', reason: 'tools' } : standing
}

function describe(
  context: RelayContext,
  channel: RoutedChannel,
  standing: Standing,
): Pick<RouteCandidate, 'channel_id' | 'name' | 'type' | 'state' | 'reason' | 'priority' | 'weight' | 'resting_until'> {
  const until = restsUntil(context, channel, context.ctx.clock())
  return {
    channel_id: channel.id,
    name: channel.name,
    type: channel.type,
    state: standing.state,
    reason: sentenceOf(standing),
    priority: channel.priority,
    weight: channel.weight,
    resting_until: standing.reason === 'rest' ? Math.ceil(until / 1000) : 0,
  }
}

const performanceOf = (fared: Performance | undefined) => ({
  first_byte_p50_ms: fared?.firstByteP50 ?? null,
  error_share: fared ? fared.failed / fared.requests : null,
})

function costThrough(channel: RoutedChannel, model: string) {
  const cost = listedCostPerMillion(channel.mapping.get(model) ?? model)
  const through = (usd: number) => roundUsd(usd * channel.costRatio)
  return { cost_usd: cost && through(cost.input), cost_output_usd: cost && through(cost.output) }
}

const order = { first: 0, reserve: 1, out: 2 } as const

const byState = (a: RouteCandidate, b: RouteCandidate): number =>
  order[a.state] - order[b.state] ||
  b.priority - a.priority ||
  b.probability - a.probability ||
  a.channel_id - b.channel_id
