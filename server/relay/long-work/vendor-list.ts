import { type JsonObject, numberOf, textOf } from '#server/lib/json.ts'
import { RelayFault } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { askChannel } from '#server/relay/stored/held-by-vendor.ts'

const listedWithinMs = 20_000

/** A page of a vendor's list; empty where the vendor has no such list. */
export async function askList(context: RelayContext, channel: RoutedChannel, path: string): Promise<JsonObject> {
  try {
    return await askChannel(context, channel, { method: 'GET', path }, AbortSignal.timeout(listedWithinMs))
  } catch (error) {
    if (error instanceof RelayFault && (error.fault.status === 404 || error.fault.status === 405)) return {}
    throw error
  }
}

/** How far a vendor's clock may differ from ours. */
const apartSeconds = 600

/** Whether a vendor's time, in seconds or as a date, is near a moment; true when the vendor gives none. */
export function isNear(time: unknown, seconds: number): boolean {
  const made = numberOf(time) ?? Date.parse(textOf(time) ?? '') / 1000
  return Number.isNaN(made) || Math.abs(made - seconds) < apartSeconds
}
