import { numberOf, textOf } from '#server/lib/json.ts'
import { RelayFault } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { askChannel } from '#server/relay/stored/held-by-vendor.ts'

const listedWithinMs = 20_000

/** A page of what a vendor has; nothing of a vendor that has no list. */
export async function askList(context: RelayContext, channel: RoutedChannel, path: string): Promise<unknown> {
  try {
    return await askChannel(context, channel, { method: 'GET', path }, AbortSignal.timeout(listedWithinMs))
  } catch (error) {
    if (error instanceof RelayFault && (error.fault.status === 404 || error.fault.status === 405)) return {}
    throw error
  }
}

/** Vendors' clocks and ours agree to so many seconds. */
const apartSeconds = 600

/** Whether something was made then, as far as its vendor says when: in seconds, or as a date. */
export function isNear(time: unknown, seconds: number): boolean {
  const made = numberOf(time) ?? Date.parse(textOf(time) ?? '') / 1000
  return Number.isNaN(made) || Math.abs(made - seconds) < apartSeconds
}
