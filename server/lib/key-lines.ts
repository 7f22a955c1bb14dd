import { objectOf, parseJson } from './json.ts'

/** The keys of a text, one a line. A key that is JSON, as of a service account, is one over as many lines as it has. */
export function keyLines(key: string): string[] {
  const json = objectOf(parseJson(key))
  if (json) return [JSON.stringify(json)]
  return key
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
