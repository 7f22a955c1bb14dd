import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import type { PriceBook } from '#server/billing/pricing/price.ts'
import { providerOf } from '#server/providers/index.ts'
import { modelFacts } from '#server/providers/model-facts.ts'
import { type Operation, type Target, unbounded } from '#server/providers/provider.ts'
import { noSurcharges, surchargesOf } from '#server/providers/surcharges.ts'
import { type AskedExtras, askedExtras, noExtras, unpricedBy } from '#server/relay/metering/asked-extras.ts'
import { cheapestGroup } from '#server/relay/metering/charges.ts'
import type { Offer } from '#server/relay/metering/offer.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { unpricedFieldsIn } from '#server/relay/request/unpriced-fields.ts'
import { lacksApiForTools, mayLackTools } from '#server/relay/routing/api/choose-api.ts'
import { channelStatus } from '#shared/statuses.ts'
import type { RoutedChannel, RoutingTable } from './routing-table.ts'

/** The channels a request may go through, and what it costs there. */
export interface Plan {
  readonly candidates: readonly RoutedChannel[]
  readonly extras: AskedExtras
  /** Fields by which some candidate sells more, without a price. */
  readonly unpricedFields: ReadonlySet<string>
  /** Some candidate has no API that takes all tools of the model. */
  readonly mayLackTools: boolean
  /** What the request costs through a channel: by the name asked for, else by the name it is mapped to. */
  offerThrough(channel: RoutedChannel): Offer | null
}

/** Finds channels and price, or says why there is none. */
export function planRequest(table: RoutingTable, book: PriceBook, caller: Caller, ask: Ask): Plan {
  const carrying = carriersOf(table, caller, ask.model)
  const plan = takingTools(plainPlan(carrying, book, caller.groups, ask), ask)
  const extras = askedExtras(ask)
  const fields = unpricedFieldsIn(ask, plan.unpricedFields)
  if (extras === noExtras && fields.length === 0) return plan
  return { ...plan, extras, candidates: billable(plan.candidates, { extras, fields }, ask) }
}

/** Without the channels that have no API for the tools of the request. */
function takingTools(plan: Plan, ask: Ask): Plan {
  if (!plan.mayLackTools) return plan
  const candidates = plan.candidates.filter((channel) => !lacksApiForTools(ask, channel))
  if (candidates.length === plan.candidates.length) return plan
  if (candidates.length > 0) return { ...plan, candidates }
  throw refuse('noChannel', { model: ask.model, reason: 'it takes tools in the responses API, which no channel has' })
}

interface Plans {
  readonly book: PriceBook
  readonly byOperation: Map<Operation, Plan>
}

/** Plans by list of candidates and prices: both stay the same objects until channels or prices change. */
const knownPlans = new WeakMap<readonly RoutedChannel[], Plans>()

function plansFor(carrying: readonly RoutedChannel[], book: PriceBook): Map<Operation, Plan> {
  const known = knownPlans.get(carrying)
  if (known?.book === book) return known.byOperation
  const byOperation = new Map<Operation, Plan>()
  knownPlans.set(carrying, { book, byOperation })
  return byOperation
}

/** The plan of all requests that ask for nothing beside tokens. */
function plainPlan(
  carrying: readonly RoutedChannel[],
  book: PriceBook,
  groups: readonly string[],
  { model, entrance }: Ask,
): Plan {
  const { operation } = entrance.door
  const plans = plansFor(carrying, book)
  const known = plans.get(operation)
  if (known) return known
  const able = carrying.filter((channel) => providerOf(channel.type).operations.includes(operation))
  if (able.length === 0) throw refuse('unsupported', { model })
  const candidates = able.filter((channel) => priceThrough(book, channel, model) !== null)
  if (candidates.length === 0) throw refuse('modelUnpriced', { model })
  const offers = new Map<number, Offer>()
  const plan: Plan = {
    candidates,
    extras: noExtras,
    unpricedFields: new Set(candidates.flatMap(({ type }) => providerOf(type).unpricedFields ?? [])),
    mayLackTools: candidates.some((channel) => mayLackTools(channel, model)),
    offerThrough(channel) {
      const offered = offers.get(channel.id) ?? offerOf(book, groups, channel, model)
      if (offered) offers.set(channel.id, offered)
      return offered
    },
  }
  plans.set(operation, plan)
  return plan
}

function offerOf(book: PriceBook, groups: readonly string[], channel: RoutedChannel, model: string): Offer | null {
  const price = priceThrough(book, channel, model)
  if (!price) return null
  const knownAs = knownName(channel, model)
  return {
    price,
    ...cheapestGroup(book, groups, channel.groups),
    model: channel.mapping.get(model) ?? model,
    knownAs,
    facts: modelFacts(knownAs) ?? modelFacts(model),
    surcharges: surchargesOf(knownAs),
    thinksBeside: providerOf(channel.type).thinksBeside,
  }
}

/** The name by which a model's abilities are known: its vendor's, unless the operator made that one up, as for a deployment. */
function knownName({ mapping }: RoutedChannel, model: string): string {
  const mapped = mapping.get(model)
  if (mapped === undefined) return model
  return modelFacts(mapped) || surchargesOf(mapped) !== noSurcharges ? mapped : model
}

/** What a request asks for beside tokens: what every vendor may sell, and fields that only some read. */
interface More {
  readonly extras: AskedExtras
  readonly fields: readonly string[]
}

/** The channels that have a price for all extras of the request; refuses when there is none. Channels of another dialect never receive the extras. */
function billable(channels: readonly RoutedChannel[], { extras, fields }: More, ask: Ask): readonly RoutedChannel[] {
  const { model } = ask
  const lacking = (channel: RoutedChannel) => {
    if (!passesThrough(channel, ask)) return null
    const own = providerOf(channel.type).unpricedFields
    const field = own && fields.find((name) => own.includes(name))
    return field ?? unpricedBy(surchargesOf(knownName(channel, model)), extras)
  }
  const able = channels.filter((channel) => lacking(channel) === null)
  if (able.length > 0) return able
  const [first] = channels
  throw refuse('extraUnpriced', { model, extra: first ? (lacking(first) ?? '') : '' })
}

/** What a model costs through a channel: by the name asked for, else by the name it is mapped to. */
export function priceThrough(book: PriceBook, channel: RoutedChannel, model: string): ModelPrice | null {
  const mapped = channel.mapping.get(model)
  return book.priceOf(model) ?? (mapped === undefined ? null : book.priceOf(mapped))
}

function passesThrough(channel: RoutedChannel, { entrance: { door }, model, stream, payload }: Ask): boolean {
  if (door.operation !== 'chat') return true
  const provider = providerOf(channel.type)
  const target: Target = {
    ...channel,
    channelId: channel.id,
    model: channel.mapping.get(model) ?? model,
    operation: door.operation,
    bound: unbounded,
    stream,
    clientDialect: door.dialect.id,
    path: '',
    query: () => new URLSearchParams(),
    passed: () => undefined,
  }
  if (provider.dialect(target).id !== door.dialect.id || payload.kind !== 'json') return false
  return provider.passesThrough?.(target, payload.body) ?? true
}

/** The channels that carry a model for its caller, or why there is none. */
export function carriersOf(table: RoutingTable, caller: Caller, model: string): readonly RoutedChannel[] {
  if (caller.models && !caller.models.has(model)) throw refuse('modelForbidden', { model })
  const carrying =
    caller.pinnedChannelId === null ? table.candidates(caller.groups, model) : [pinned(table, caller.pinnedChannelId)]
  if (carrying.length === 0) throw nobodyCarries(table, caller, model)
  return carrying
}

function pinned(table: RoutingTable, id: number): RoutedChannel {
  const channel = table.channels.get(id)
  if (!channel) throw refuse('pinUnknown')
  if (channel.status !== channelStatus.enabled) throw refuse('pinDisabled')
  return channel
}

function nobodyCarries(table: RoutingTable, caller: Caller, model: string) {
  const disabled = table.disabledFor(caller.groups, model)
  if (disabled === 0) return refuse('modelUnknown', { model })
  const reason =
    disabled === 1 ? 'the channel that carries it is disabled' : `all ${disabled} channels that carry it are disabled`
  return refuse('noChannel', { model, reason })
}
