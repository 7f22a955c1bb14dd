const declaration = /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm

/** Rooms that mirror each other: the same table of each program we read from has the same name there. */
const mirrors = /^server\/import\/(?:one-api|new-api|one-hub)\//

const counts = (path: string): boolean =>
  /^(?:server|shared)\//.test(path) &&
  !path.startsWith('server/testing/') &&
  !path.endsWith('.test.ts') &&
  !mirrors.test(path)

/** One word, one idea: whoever searches for a type finds one. */
export function checkTypeNames(texts: ReadonlyMap<string, string>): string[] {
  const places = new Map<string, string[]>()
  for (const [path, text] of texts) {
    if (!counts(path)) continue
    for (const name of new Set([...text.matchAll(declaration)].map(([, name = '']) => name)))
      places.set(name, [...(places.get(name) ?? []), path])
  }
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${paths.join(' and ')} each export a type ${name}; name one after what it is there`)
}
