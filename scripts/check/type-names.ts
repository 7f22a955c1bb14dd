const declaration = /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm

/** Rooms that mirror each other: the same table of each program we read from has the same name there. */
const mirrors = /^server\/import\/(?:one-api|new-api|one-hub)\//

/** Web and server never meet, so that each may use a word in its own way. */
const sides = [/^(?:server|shared)\//, /^web\//]

const counts = (path: string): boolean =>
  !path.startsWith('server/testing/') && !path.endsWith('.test.ts') && !mirrors.test(path)

/** One word, one idea: whoever searches for a type finds one. */
export const checkTypeNames = (texts: ReadonlyMap<string, string>): string[] =>
  sides.flatMap((side) => checkSide([...texts].filter(([path]) => side.test(path) && counts(path))))

function checkSide(texts: ReadonlyArray<readonly [path: string, text: string]>): string[] {
  const places = new Map<string, string[]>()
  for (const [path, text] of texts) {
    for (const name of new Set([...text.matchAll(declaration)].map(([, name = '']) => name)))
      places.set(name, [...(places.get(name) ?? []), path])
  }
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${paths.join(' and ')} each export a type ${name}; name one after what it is there`)
}
