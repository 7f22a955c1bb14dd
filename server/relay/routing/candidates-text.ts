import { providerOf } from '#server/providers/index.ts'
import type { RelayedRequest } from '#server/relay/relayed-request.ts'
import { lacksApiForTools } from '#server/relay/routing/api/choose-api.ts'
import { type Standing, writeStandings } from '#shared/routing-reasons.ts'
import { channelStatus } from '#shared/statuses.ts'
import type { RoutingConditions } from './decide.ts'
import type { RoutedChannel, RoutingTable } from './routing-table.ts'
import { standingsOf } from './standings.ts'

/** Why a channel that carries the model is no candidate at all. */
export function whyOutside(channel: RoutedChannel, groups: readonly string[]): Standing {
  if (channel.status !== channelStatus.enabled) return { state: 'out', reason: 'disabled' }
  const isInGroup = channel.groups.some((group) => groups.includes(group))
  return { state: 'out', reason: isInGroup ? 'operation' : 'group' }
}

/** The text of a list of candidates while none of them has an obstacle: then it is the same for every request. */
const calm = new WeakMap<readonly RoutedChannel[], string>()

function isUnhindered(candidates: readonly RoutedChannel[], conditions: RoutingConditions): boolean {
  for (const channel of candidates) if (conditions.obstacle(channel) !== null) return false
  return true
}

type Asked = Pick<RelayedRequest, 'caller' | 'ask'>

/** The same for a request: a channel that offers the operation and still is no candidate has no price for the model. */
function whyNoCandidate(channel: RoutedChannel, { caller, ask }: Asked): Standing {
  const standing = whyOutside(channel, caller.groups)
  const isOffered = providerOf(channel.type).operations.includes(ask.entrance.door.operation)
  if (standing.reason !== 'operation' || !isOffered) return standing
  return { state: 'out', reason: lacksApiForTools(ask, channel) ? 'tools' : 'price' }
}

/** Which channels there were for a request and why each was chosen or not, as a row of the log keeps it. */
export function candidatesText(
  table: RoutingTable,
  candidates: readonly RoutedChannel[],
  conditions: RoutingConditions,
  asked: Asked,
): string {
  if (asked.caller.pinnedChannelId !== null) {
    return writeStandings([...standingsOf(candidates, conditions)].map(([{ id }, standing]) => [id, named(standing)]))
  }
  const isCalm =
    conditions.strategy === 'weight' &&
    conditions.preferred === null &&
    (conditions.isCalm || isUnhindered(candidates, conditions))
  const known = isCalm ? calm.get(candidates) : undefined
  if (known !== undefined) return known
  const outside = table.carrying(asked.ask.model).filter((channel) => !candidates.includes(channel))
  const text = writeStandings([
    ...[...standingsOf(candidates, conditions)].map(([channel, standing]) => [channel.id, standing] as const),
    ...outside.map((channel) => [channel.id, whyNoCandidate(channel, asked)] as const),
  ])
  if (isCalm) calm.set(candidates, text)
  return text
}

const named = (standing: Standing): Standing =>
  standing.state === 'first' ? { state: 'first', reason: 'pinned' } : standing
