import { listedCostPerMillion } from '#server/billing/pricing/list-cost.ts'
import { hasLimits } from '#server/relay/limits/caller-limits.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Strategy } from '#shared/routing-options.ts'
import type { Circumstances, Hindrance } from './decide.ts'
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

type Parts = Pick<RelayContext, 'ctx' | 'breaker' | 'keys' | 'pulse' | 'fullChannels'>

/** Whether a channel, or every key of its pool, rests after failures. */
const isResting = ({ breaker, keys }: Parts, channel: RoutedChannel, now: number): boolean =>
  breaker.resting(channel.id, now) || (channel.keys.length > 1 && keys.allResting(channel, now))

/** A class, because one is made for every attempt: its methods are made once. */
class Present implements Circumstances {
  readonly strategy: Strategy
  readonly isCalm: boolean
  readonly preferred: number | null
  private readonly parts: Parts
  private readonly model: string
  private readonly now: number

  constructor(parts: Parts, model: string, preferred: number | null) {
    this.strategy = strategyOf(parts.ctx.options().RoutingStrategy, model)
    this.isCalm = parts.breaker.isCalm() && parts.keys.isCalm() && parts.fullChannels.isCalm()
    this.preferred = preferred
    this.parts = parts
    this.model = model
    this.now = parts.ctx.clock()
  }

  hindrance(channel: RoutedChannel): Hindrance | null {
    if (isResting(this.parts, channel, this.now)) return 'rest'
    return hasLimits(channel.limits) && this.parts.fullChannels.find(channel, this.now) ? 'limit' : null
  }

  cost(channel: RoutedChannel): number | null {
    return channelCost(channel, this.model)
  }

  latency(channel: RoutedChannel): number | null {
    return this.parts.pulse.latency(channel.id, this.now)
  }
}

/** How things stand at this moment for a request for a model. */
export const circumstancesOf = (parts: Parts, model: string, preferred: number | null): Circumstances =>
  new Present(parts, model, preferred)

/** The same with other reasons to pass a channel over. */
const hinderedBy = (circumstances: Circumstances, hindrance: Circumstances['hindrance']): Circumstances => ({
  strategy: circumstances.strategy,
  isCalm: false,
  preferred: circumstances.preferred,
  hindrance,
  cost: (channel) => circumstances.cost(channel),
  latency: (channel) => circumstances.latency(channel),
})

/** How things would stand were nobody resting and nobody at a limit. */
export const calmCircumstances = (parts: Parts, model: string): Circumstances =>
  hinderedBy(circumstancesOf(parts, model, null), () => null)

/** The same without channels that have just been found at a limit. */
export const passingOver = (circumstances: Circumstances, full: ReadonlyMap<number, unknown>): Circumstances =>
  full.size === 0
    ? circumstances
    : hinderedBy(circumstances, (channel) => (full.has(channel.id) ? 'limit' : circumstances.hindrance(channel)))

/** The same when nothing else is left: who rests is asked all the same, who is at a limit is not. */
export const asLastResort = (circumstances: Circumstances): Circumstances =>
  hinderedBy(circumstances, (channel) => {
    const hindrance = circumstances.hindrance(channel)
    return hindrance === 'rest' ? null : hindrance
  })
