import type { Standing } from '#shared/routing-reasons.ts'
import { firstAmong, measures, type RoutingConditions } from './decide.ts'
import type { RoutedChannel } from './routing-table.ts'

const first = (reason: Extract<Standing, { state: 'first' }>['reason']): Standing => ({ state: 'first', reason })
const reserve = (reason: Extract<Standing, { state: 'reserve' }>['reason']): Standing => ({ state: 'reserve', reason })

/** Where every candidate of a decision stands, and why; asked for by people and rows, never to decide. */
export function standingsOf(
  candidates: readonly RoutedChannel[],
  conditions: RoutingConditions,
): ReadonlyMap<RoutedChannel, Standing> {
  const chosen = firstAmong(candidates, conditions)
  const [one] = chosen
  const isPreferred = one !== undefined && chosen.length === 1 && one.id === conditions.preferred
  return new Map(
    candidates.map((channel): [RoutedChannel, Standing] => {
      const obstacle = conditions.obstacle(channel)
      if (obstacle !== null) return [channel, { state: 'out', reason: obstacle }]
      if (chosen.includes(channel)) return [channel, first(isPreferred ? 'sticky' : why(chosen, conditions))]
      if (isPreferred) return [channel, reserve('sticky')]
      return [channel, reserve(whyNot(channel, chosen, conditions))]
    }),
  )
}

const why = (chosen: readonly RoutedChannel[], { strategy }: RoutingConditions) =>
  strategy === 'weight' && chosen.length === 1 ? 'only' : strategy

function whyNot(channel: RoutedChannel, [one]: readonly RoutedChannel[], conditions: RoutingConditions) {
  const { strategy } = conditions
  if (one === undefined) return strategy
  if (channel.priority < one.priority) return 'priority'
  if (strategy === 'weight') return strategy
  const measure = measures[strategy]
  return measure(conditions, channel) === measure(conditions, one) ? 'weight' : strategy
}
