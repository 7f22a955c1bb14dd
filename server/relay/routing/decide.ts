import type { Strategy } from '#shared/routing-options.ts'
import type { RoutedChannel } from './routing-table.ts'

/** What keeps a channel away for a while, though it carries the model. */
export type Hindrance = 'rest' | 'limit'

/** What a choice depends on beside the channels themselves. */
export interface Circumstances {
  readonly strategy: Strategy
  /** Nothing stands in the way of any channel, so that nobody has to ask for each. */
  readonly isCalm: boolean
  /** Null: nothing stands in the way. */
  hindrance(channel: RoutedChannel): Hindrance | null
  /** What the operator pays there; null when nobody knows. Asked for under the strategy `cost` alone. */
  cost(channel: RoutedChannel): number | null
  /** How long the first byte takes there; null when it is not known. Asked for under the strategy `latency` alone. */
  latency(channel: RoutedChannel): number | null
  /** The channel that has the conversation already; it is kept while nothing stands in its way. */
  readonly preferred: number | null
}

const nobody: ReadonlySet<number> = new Set()
const none: readonly RoutedChannel[] = []

/**
 * The one decision: the channels among which the next try is drawn. Never one already tried; the highest priority; within
 * it what the strategy puts first. A channel without weight beside weighted ones is a reserve. Whoever explains, simulates
 * or relays asks this function.
 */
export function firstAmong(
  candidates: readonly RoutedChannel[],
  circumstances: Circumstances,
  tried: ReadonlySet<number> = nobody,
): readonly RoutedChannel[] {
  const { strategy, preferred } = circumstances
  const isUsual = circumstances.isCalm && strategy === 'weight' && preferred === null && tried.size === 0
  return isUsual ? usuallyFirst(candidates, circumstances) : chosenAmong(candidates, circumstances, tried)
}

/** The same list has the same first ones while nothing stands in anybody's way. */
const usual = new WeakMap<readonly RoutedChannel[], readonly RoutedChannel[]>()

function usuallyFirst(candidates: readonly RoutedChannel[], circumstances: Circumstances): readonly RoutedChannel[] {
  const known = usual.get(candidates)
  if (known) return known
  const first = chosenAmong(candidates, circumstances, nobody)
  usual.set(candidates, first)
  return first
}

function chosenAmong(
  candidates: readonly RoutedChannel[],
  circumstances: Circumstances,
  tried: ReadonlySet<number>,
): readonly RoutedChannel[] {
  const { strategy, preferred } = circumstances
  let top: RoutedChannel[] = []
  let priority = Number.NEGATIVE_INFINITY
  for (const channel of candidates) {
    const isPreferred = channel.id === preferred
    if (channel.priority < priority && !isPreferred) continue
    if (tried.has(channel.id) || circumstances.hindrance(channel) !== null) continue
    if (isPreferred) return [channel]
    if (channel.priority > priority) {
      priority = channel.priority
      top = [channel]
    } else top.push(channel)
  }
  if (top.length < 2) return top.length === 0 ? none : top
  return weighted(strategy === 'weight' ? top : leastBy(top, strategy === 'cost' ? byCost : byLatency, circumstances))
}

type Measure = (circumstances: Circumstances, channel: RoutedChannel) => number

/** A channel whose cost nobody knows comes last. */
const byCost: Measure = (circumstances, channel) => circumstances.cost(channel) ?? Number.POSITIVE_INFINITY

/** A channel nobody has measured of late comes first, so that it is. */
const byLatency: Measure = (circumstances, channel) => circumstances.latency(channel) ?? 0

function leastBy(channels: readonly RoutedChannel[], measure: Measure, circumstances: Circumstances) {
  let least = Number.POSITIVE_INFINITY
  let first: RoutedChannel[] = []
  for (const channel of channels) {
    const value = measure(circumstances, channel)
    if (value < least) {
      least = value
      first = [channel]
    } else if (value === least) first.push(channel)
  }
  return first
}

function weighted(channels: readonly RoutedChannel[]): readonly RoutedChannel[] {
  const hasWeight = channels.some((channel) => channel.weight > 0)
  return hasWeight && channels.some((channel) => channel.weight === 0)
    ? channels.filter((channel) => channel.weight > 0)
    : channels
}

/** The share of requests each of them gets; they add up to 1. */
export function sharesOf(first: readonly RoutedChannel[]): number[] {
  const sum = first.reduce((total, channel) => total + channel.weight, 0)
  return first.map((channel) => (sum > 0 ? channel.weight / sum : 1 / first.length))
}

/** One of them by its share. `random` is from 0 up to, but not including, 1. */
export function drawFrom(first: readonly RoutedChannel[], random: () => number): RoutedChannel | null {
  if (first.length < 2) return first[0] ?? null
  let sum = 0
  for (const channel of first) sum += channel.weight
  if (sum === 0) return first[Math.floor(random() * first.length)] ?? null
  let point = random() * sum
  for (const channel of first) {
    point -= channel.weight
    if (point < 0) return channel
  }
  return first.at(-1) ?? null
}
