import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { parseRoute } from '#server/db/logs/route-record.ts'

/** What a channel did for a request, with all keys of its pool. */
export interface UsageAttempt {
  readonly channel: number
  readonly ms: number
}

const none: readonly UsageAttempt[] = []

/** The channels a request was sent to one after the other; none where it was a single one. A route without a fault is not JSON. */
export function attemptsOf({ route }: Pick<LogsTable, 'route'>): readonly UsageAttempt[] {
  if (!route.startsWith('{')) return none
  const attempts: UsageAttempt[] = []
  for (const { channel, duration_ms } of parseRoute(route).tries) {
    const last = attempts.at(-1)
    const isSame = last?.channel === channel
    if (isSame) attempts.pop()
    attempts.push({ channel, ms: duration_ms + (isSame ? last.ms : 0) })
  }
  return attempts.length > 1 ? attempts : none
}

/** How many refused requests a row stands for; 0 for one that was let in. */
export function refusedIn({ route, channel, outcome }: Pick<LogsTable, 'route' | 'channel' | 'outcome'>): number {
  if (channel !== 0 || outcome !== 'failed' || !route.startsWith('{')) return 0
  return parseRoute(route).refused ?? 0
}
