import { isDeepStrictEqual } from 'node:util'
import { objectOf, parseJson } from '#server/lib/json.ts'

/** The null character and halves of a pair: a file does not take them. */
const unwritable = /\\u0000|\\ud[89a-f]/i

/** A JSON object for the file; as its own text where YAML would change it, such as the number 1e400. */
export function shownObject(text: string): unknown {
  const object = objectOf(parseJson(text)) ?? {}
  const written = JSON.stringify(object)
  return isDeepStrictEqual(parseJson(written), object) && !unwritable.test(written) ? object : text
}
