import { othersTurn } from './others-turn.ts'

const portionMs = 8

/** Does something for each of many, and gives way to others between portions of a few milliseconds. */
export async function inPortions<Thing, Result>(
  things: Iterable<Thing>,
  work: (thing: Thing) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let until = performance.now() + portionMs
  for (const thing of things) {
    results.push(work(thing))
    if (performance.now() < until) continue
    await othersTurn()
    until = performance.now() + portionMs
  }
  return results
}
