import { RelayFault } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { ListPlace } from '#server/relay/state/list-place.ts'
import { listedState } from '#server/relay/state/listed-state.ts'
import type { StateRow } from '#server/relay/state/state.store.ts'

/** The most questions for one page: a vendor that answers none of them is not asked on. */
const mostAsked = 500

interface AskedPage<Thing> {
  readonly data: readonly Thing[]
  /** The last one that was asked for; undefined where there is none behind it. */
  readonly goesOnAfter: string | undefined
}

/** A page of things whose vendor is asked about each, several at once. Things the vendor no longer has are skipped and the page filled up. */
export async function askedPage<Thing>(
  context: RelayContext,
  whose: Parameters<typeof listedState>[1],
  place: ListPlace,
  ask: (row: StateRow) => Promise<Thing>,
): Promise<AskedPage<Thing>> {
  const rows = listedState(context, whose, place)
  const data: Thing[] = []
  let next = await rows.next()
  let asked = 0
  let last: string | undefined
  while (!next.done && data.length < place.limit && asked < mostAsked) {
    const batch: StateRow[] = []
    while (!next.done && data.length + batch.length < place.limit) {
      batch.push(next.value)
      next = await rows.next()
    }
    const found = await Promise.all(batch.map((row) => ask(row).catch(unlessRefused)))
    data.push(...found.filter((thing) => thing !== null))
    asked += batch.length
    last = batch.at(-1)?.id
  }
  return { data, goesOnAfter: next.done ? undefined : last }
}

const unlessRefused = (error: unknown): null => {
  if (error instanceof RelayFault) return null
  throw error
}
