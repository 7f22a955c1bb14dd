import type { Strategy } from '#shared/routing-options.ts'
import type { RoutedChannel } from './routing-table.ts'

/** Why a channel that carries the model is skipped for a while. */
export type Obstacle = 'rest' | 'limit'

/** What a choice depends on beside the channels themselves. */
export interface RoutingConditions {
  readonly strategy: Strategy
  /** No channel has an obstacle, so that `obstacle` need not be called for each. */
  readonly isCalm: boolean
  /** Null: the channel may be used. */
  obstacle(channel: RoutedChannel): Obstacle | null
  /** What the operator pays there; null when unknown. Used by the strategy `cost` alone. */
  cost(channel: RoutedChannel): number | null
  /** How long the first byte takes there; null when unknown. Used by the strategy `latency` alone. */
  latency(channel: RoutedChannel): number | null
  /** The channel that has the conversation already; it is kept while it has no obstacle. */
  readonly preferred: number | null
}

const nobody: ReadonlySet<number> = new Set()
const none: readonly RoutedChannel[] = []

/**
 * The one routing decision: the channels among which the next attempt is drawn. Never one already tried; the highest priority;
 * within it what the strategy puts first. A channel without weight beside weighted ones is a reserve. The relay, the explanation
 * and the simulation all use this function.
 */
export function firstAmong(
  candidates: readonly RoutedChannel[],
  conditions: RoutingConditions,
  tried: ReadonlySet<number> = nobody,
): readonly RoutedChannel[] {
  const { strategy, preferred } = conditions
  const isUsual = conditions.isCalm && strategy === 'weight' && preferred === null && tried.size === 0
  return isUsual ? usuallyFirst(candidates, conditions) : chosenAmong(candidates, conditions, tried)
}

/** The first channels of a list while none of them has an obstacle: then they are the same for every request. */
const usual = new WeakMap<readonly RoutedChannel[], readonly RoutedChannel[]>()

function usuallyFirst(candidates: readonly RoutedChannel[], conditions: RoutingConditions): readonly RoutedChannel[] {
  const known = usual.get(candidates)
  if (known) return known
  const first = chosenAmong(candidates, conditions, nobody)
  usual.set(candidates, first)
  return first
}

function chosenAmong(
  candidates: readonly RoutedChannel[],
  conditions: RoutingConditions,
  tried: ReadonlySet<number>,
): readonly RoutedChannel[] {
  const { strategy, preferred } = conditions
  let top: RoutedChannel[] = []
  let priority = Number.NEGATIVE_INFINITY
  for (const channel of candidates) {
    const isPreferred = channel.id === preferred
    if (channel.priority < priority && !isPreferred) continue
    if (tried.has(channel.id) || conditions.obstacle(channel) !== null) continue
    if (isPreferred) return [channel]
    if (channel.priority > priority) {
      priority = channel.priority
      top = [channel]
    } else top.push(channel)
  }
  if (top.length < 2) return top.length === 0 ? none : top
  return weighted(strategy === 'weight' ? top : leastBy(top, measures[strategy], conditions))
}

type Measure = (conditions: RoutingConditions, channel: RoutedChannel) => number

/** A channel whose cost nobody knows comes last. */
const byCost: Measure = (conditions, channel) => conditions.cost(channel) ?? Number.POSITIVE_INFINITY

/** A channel nobody has measured of late comes first, so that it is. */
const byLatency: Measure = (conditions, channel) => conditions.latency(channel) ?? 0

/** What a strategy compares: the least comes first. */
export const measures: Readonly<Record<Exclude<Strategy, 'weight'>, Measure>> = { cost: byCost, latency: byLatency }

function leastBy(channels: readonly RoutedChannel[], measure: Measure, conditions: RoutingConditions) {
  let least = Number.POSITIVE_INFINITY
  let first: RoutedChannel[] = []
  for (const channel of channels) {
    const value = measure(conditions, channel)
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
