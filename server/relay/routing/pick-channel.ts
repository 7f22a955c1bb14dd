import type { RoutedChannel } from './routing-table.ts'

export interface Choice {
  readonly candidates: readonly RoutedChannel[]
  readonly tried: ReadonlySet<number>
  /** True while the channel's breaker keeps it at rest. */
  readonly resting: (channelId: number) => boolean
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
}

/**
 * The channel to try next, or null. Never one already tried; the highest priority first; by weight within it, where a weight
 * of 0 beside positive ones is a reserve. A resting channel is tried only when nothing else is left.
 */
export function pickChannel({ candidates, tried, resting, random }: Choice): RoutedChannel | null {
  const [only] = candidates
  if (only && candidates.length === 1) return tried.has(only.id) ? null : only
  const untried = tried.size === 0 ? candidates : candidates.filter((channel) => !tried.has(channel.id))
  const awake = untried.filter((channel) => !resting(channel.id))
  const pool = awake.length > 0 ? awake : untried
  const [first] = pool
  if (!first) return null
  if (pool.length === 1) return first
  const priority = pool.reduce((highest, channel) => Math.max(highest, channel.priority), first.priority)
  return byWeight(
    pool.filter((channel) => channel.priority === priority),
    random,
  )
}

function byWeight(channels: readonly RoutedChannel[], random: () => number): RoutedChannel | null {
  const weighted = channels.filter((channel) => channel.weight > 0)
  if (weighted.length === 0) return channels[Math.floor(random() * channels.length)] ?? null
  const sum = weighted.reduce((total, channel) => total + channel.weight, 0)
  let point = random() * sum
  for (const channel of weighted) {
    point -= channel.weight
    if (point < 0) return channel
  }
  return weighted.at(-1) ?? null
}
