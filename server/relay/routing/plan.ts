import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import type { PriceBook } from '#server/billing/pricing/price.ts'
import { providerOf } from '#server/providers/index.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { channelStatus } from '#shared/statuses.ts'
import type { RoutedChannel, RoutingTable } from './routing-table.ts'

/** The channels a request may go through, and its price. */
export interface Plan {
  readonly candidates: readonly RoutedChannel[]
  readonly price: ModelPrice
  /** What the request costs through a channel: by the name asked for, else by the name it is mapped to. */
  priceThrough(channel: RoutedChannel): ModelPrice | null
}

/** Finds channels and price, or says why there is none. */
export function planRequest(table: RoutingTable, book: PriceBook, caller: Caller, ask: Ask): Plan {
  const { model } = ask
  const carrying = carriersOf(table, caller, model)
  const { operation } = ask.entrance.door
  const isAble = (channel: RoutedChannel) => providerOf(channel.type).operations.includes(operation)
  const able = carrying.every(isAble) ? carrying : carrying.filter(isAble)
  if (able.length === 0) throw refuse('unsupported', { model })
  const asked = book.priceOf(model)
  const priceThrough = (channel: RoutedChannel): ModelPrice | null => {
    if (asked) return asked
    const mapped = channel.mapping.get(model)
    return mapped === undefined ? null : book.priceOf(mapped)
  }
  const candidates = asked ? able : able.filter((channel) => priceThrough(channel) !== null)
  const [first] = candidates
  const price = first ? priceThrough(first) : null
  if (!price) throw refuse('modelUnpriced', { model })
  return { candidates, price, priceThrough }
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
