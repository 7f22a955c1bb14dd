import { createPace } from './turns/work-turns.ts'

/** Does something for each of many, and gives way to others between portions of a few milliseconds. Short ones after each other share a pace. */
export async function inPortions<Thing, Result>(
  things: Iterable<Thing>,
  work: (thing: Thing) => Result,
  pace = createPace(),
): Promise<Result[]> {
  const results: Result[] = []
  for (const thing of things) {
    results.push(work(thing))
    if (pace.isDue()) await pace.giveWay()
  }
  return results
}
