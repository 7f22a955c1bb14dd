import { type Context, epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { reading } from '#server/db/reading.ts'
import { letIn } from '#server/db/usage/filter.ts'
import { prepare, readSums } from '#server/db/usage/read.ts'
import { hourSeconds, longSeconds, quarterSeconds } from '#server/db/usage/shapes.ts'
import { daySeconds } from '#server/lib/time/day.ts'

const quartersMax = 700
const hoursMax = 5000

/** Epoch seconds. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** How many requests came in each stretch of a time, by model and group. */
export interface BusyTimes {
  /** Length of a stretch. */
  readonly minutes: number
  readonly stretches: readonly Stretch[]
  /** By the number of the stretch. */
  of(model: string, group: string): ReadonlyMap<number, number>
}

/** Divides a time into stretches that begin at multiples of `seconds`; the first and the last may be shorter. */
export function stretchesOf(from: number, to: number, seconds: number): Stretch[] {
  const begin = Math.ceil((from + 1) / seconds) * seconds
  const inside = Math.max(0, Math.ceil((to - begin) / seconds))
  const edges = [from, ...Array.from({ length: inside }, (_, at) => begin + at * seconds), to]
  return edges.slice(1).map((edge, at) => ({ from: edges[at] ?? from, to: edge }))
}

/** The length of a stretch, chosen so that there are not too many. */
export function stepFor(from: number, to: number): number {
  if ((to - from) / quarterSeconds <= quartersMax) return quarterSeconds
  return (to - from) / hourSeconds <= hoursMax ? hourSeconds : daySeconds
}

/** The part of a time in which there can be requests: not before the first of all, and not after now. */
async function lived(tx: Tx, now: number, { from, to }: Stretch): Promise<Stretch> {
  const { first } = await tx
    .selectFrom('usage_totals')
    .select(({ fn }) => fn.min('slot').as('first'))
    .where('span', '=', longSeconds)
    .executeTakeFirstOrThrow()
  const part = { from: Math.max(from, (first ?? now) - longSeconds), to: Math.min(to, now + 1) }
  return part.from < part.to ? part : { from, to: from + 1 }
}

const nothing: ReadonlyMap<number, number> = new Map()

export const readBusyTimes = (ctx: Pick<Context, 'database' | 'clock'>, asked: Stretch): Promise<BusyTimes> =>
  reading(ctx, async (tx) => {
    const { from, to } = await lived(tx, epochSeconds(ctx), asked)
    const seconds = stepFor(from, to)
    const buckets = stretchesOf(from, to, seconds)
    const known = new Map<string, Map<number, number>>()
    const groups = await readSums(tx, await prepare(tx, { filter: letIn, buckets: [{ from, to }], by: 'group' }))
    for (const { key: group } of groups) {
      const filter = [{ column: 'group' as const, values: [String(group)], leaveOut: false }, ...letIn]
      for (const { bucket, key, requests } of await readSums(
        tx,
        await prepare(tx, { filter, buckets, by: 'model_name' }),
      )) {
        const name = JSON.stringify([key, group])
        known.set(name, (known.get(name) ?? new Map()).set(bucket, requests))
      }
    }
    return {
      minutes: seconds / 60,
      stretches: buckets,
      of: (model, group) => known.get(JSON.stringify([model, group])) ?? nothing,
    }
  })
