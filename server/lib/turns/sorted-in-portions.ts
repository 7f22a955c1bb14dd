import { inPortions } from '#server/lib/in-portions.ts'
import { createPace } from './work-turns.ts'

/** So many are sorted in far less than a turn of the event loop may take. */
const chunk = 500

/** Two sorted lists as one. */
function* merged<Thing>(
  [one, other]: readonly [readonly Thing[], readonly Thing[]],
  compare: (a: Thing, b: Thing) => number,
): Generator<Thing> {
  let at = 0
  for (const thing of one) {
    for (let next = other[at]; next !== undefined && compare(next, thing) < 0; next = other[at]) {
      yield next
      at += 1
    }
    yield thing
  }
  yield* other.slice(at)
}

/** The same as `toSorted`, but it gives way to others between portions of a few milliseconds. */
export async function sortedInPortions<Thing extends object>(
  things: readonly Thing[],
  compare: (a: Thing, b: Thing) => number,
): Promise<readonly Thing[]> {
  const pace = createPace()
  const starts = Array.from({ length: Math.ceil(things.length / chunk) }, (_, at) => at * chunk)
  let lists: (readonly Thing[])[] = await inPortions(
    starts,
    (start) => things.slice(start, start + chunk).toSorted(compare),
    pace,
  )
  while (lists.length > 1) {
    const longer: (readonly Thing[])[] = []
    for (let at = 0; at < lists.length; at += 2) {
      longer.push(await inPortions(merged([lists[at] ?? [], lists[at + 1] ?? []], compare), (thing) => thing, pace))
    }
    lists = longer
  }
  return lists[0] ?? []
}
