import { isDeepStrictEqual } from 'node:util'
import { objectOf, parseJson } from '#server/lib/json.ts'

/** The null character and halves of a pair: a file does not take them. */
const unwritable = /\\u0000|\\ud[89a-f]/i

/** A JSON object as it stands in a file: its own text where the way through the file would make another of it, as of 1e400. */
export function shownObject(text: string): unknown {
  const object = objectOf(parseJson(text)) ?? {}
  const written = JSON.stringify(object)
  return isDeepStrictEqual(parseJson(written), object) && !unwritable.test(written) ? object : text
}
