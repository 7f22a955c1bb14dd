import { listedCostPerMillion } from '#server/billing/pricing/list-cost.ts'
import { hasLimits } from '#server/relay/limits/caller-limits.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Strategy } from '#shared/routing-options.ts'
import type { Obstacle, RoutingConditions } from './decide.ts'
import type { RoutedChannel } from './routing-table.ts'

/** The strategy for a model: its own, or that of all others. */
function strategyOf(strategies: Readonly<Record<string, Strategy>>, model: string): Strategy {
  const own = Object.hasOwn(strategies, model) ? strategies[model] : undefined
  return own ?? (Object.hasOwn(strategies, '*') ? strategies['*'] : undefined) ?? 'weight'
}

/** What the operator pays for a million tokens in and a million out, in dollars; null when no list knows the model. */
function channelCost(channel: RoutedChannel, model: string): number | null {
  const listed = listedCostPerMillion(channel.mapping.get(model) ?? model)
  return listed === null ? null : (listed.input + listed.output) * channel.costRatio
}

type Parts = Pick<RelayContext, 'ctx' | 'breaker' | 'keys' | 'latencies' | 'fullChannels'>

/** Whether a channel, or every key of its pool, rests after failures. */
const isResting = ({ breaker, keys }: Parts, channel: RoutedChannel, now: number): boolean =>
  breaker.resting(channel.id, now) || (channel.keys.length > 1 && keys.allResting(channel, now))

/** A class, because one is made for every attempt: methods on the prototype are made once. */
class Present implements RoutingConditions {
  readonly strategy: Strategy
  readonly isCalm: boolean
  readonly preferred: number | null
  private readonly parts: Parts
  private readonly model: string
  private readonly now: number

  constructor(parts: Parts, model: string, preferred: number | null) {
    this.strategy = strategyOf(parts.ctx.options().RoutingStrategy, model)
    this.preferred = preferred
    this.parts = parts
    this.model = model
    this.now = parts.ctx.clock()
    this.isCalm = parts.breaker.isCalm(this.now) && parts.keys.isCalm() && parts.fullChannels.isCalm(this.now)
  }

  obstacle(channel: RoutedChannel): Obstacle | null {
    if (isResting(this.parts, channel, this.now)) return 'rest'
    return hasLimits(channel.limits) && this.parts.fullChannels.find(channel, this.now) ? 'limit' : null
  }

  cost(channel: RoutedChannel): number | null {
    return channelCost(channel, this.model)
  }

  latency(channel: RoutedChannel): number | null {
    return this.parts.latencies.latency(channel.id, this.now)
  }
}

/** The conditions at this moment for a request for a model. */
export const conditionsNow = (parts: Parts, model: string, preferred: number | null): RoutingConditions =>
  new Present(parts, model, preferred)

/** The same conditions with another function for obstacles. */
const withObstacle = (conditions: RoutingConditions, obstacle: RoutingConditions['obstacle']): RoutingConditions => ({
  strategy: conditions.strategy,
  isCalm: false,
  preferred: conditions.preferred,
  obstacle,
  cost: (channel) => conditions.cost(channel),
  latency: (channel) => conditions.latency(channel),
})

/** The conditions if no channel rested and none were at a limit. */
export const idealConditions = (parts: Parts, model: string): RoutingConditions =>
  withObstacle(conditionsNow(parts, model, null), () => null)

/** The same without channels that have just been found at a limit. */
export const passingOver = (conditions: RoutingConditions, full: ReadonlyMap<number, unknown>): RoutingConditions =>
  full.size === 0
    ? conditions
    : withObstacle(conditions, (channel) => (full.has(channel.id) ? 'limit' : conditions.obstacle(channel)))

/** The same when no other channel is left: resting channels are tried, those at a limit are not. */
export const asLastResort = (conditions: RoutingConditions): RoutingConditions =>
  withObstacle(conditions, (channel) => {
    const obstacle = conditions.obstacle(channel)
    return obstacle === 'rest' ? null : obstacle
  })
