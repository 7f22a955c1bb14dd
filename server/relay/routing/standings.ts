import type { Standing } from '#shared/routing-reasons.ts'
import { type Circumstances, firstAmong } from './decide.ts'
import type { RoutedChannel } from './routing-table.ts'

const first = (reason: Extract<Standing, { state: 'first' }>['reason']): Standing => ({ state: 'first', reason })
const reserve = (reason: Extract<Standing, { state: 'reserve' }>['reason']): Standing => ({ state: 'reserve', reason })

/** Where every candidate of a decision stands, and why; asked for by people and rows, never to decide. */
export function standingsOf(
  candidates: readonly RoutedChannel[],
  circumstances: Circumstances,
): ReadonlyMap<RoutedChannel, Standing> {
  const chosen = firstAmong(candidates, circumstances)
  const [one] = chosen
  const isPreferred = one !== undefined && chosen.length === 1 && one.id === circumstances.preferred
  return new Map(
    candidates.map((channel): [RoutedChannel, Standing] => {
      const hindrance = circumstances.hindrance(channel)
      if (hindrance !== null) return [channel, { state: 'out', reason: hindrance }]
      if (chosen.includes(channel)) return [channel, first(isPreferred ? 'sticky' : why(chosen, circumstances))]
      if (isPreferred) return [channel, reserve('sticky')]
      return [channel, reserve(whyNot(channel, chosen, circumstances))]
    }),
  )
}

const why = (chosen: readonly RoutedChannel[], { strategy }: Circumstances) =>
  strategy === 'weight' && chosen.length === 1 ? 'only' : strategy

function whyNot(channel: RoutedChannel, [one]: readonly RoutedChannel[], { strategy }: Circumstances) {
  if (one !== undefined && channel.priority < one.priority) return 'priority'
  return strategy
}
