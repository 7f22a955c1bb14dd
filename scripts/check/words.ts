/** Words that leave open what the code does, each with the plain ones to choose from. Adding one is one line. */
const barred: Readonly<Record<string, string>> = {
  told: 'given, sent, shown, reported, answered, refused, distinguished',
  heard: 'received, audio input',
  hear: 'receive, be notified of',
  hears: 'receives, is notified of',
  patience: 'timeout',
  outfit: 'overrides',
}

const pattern = new RegExp(`\\b(${Object.keys(barred).join('|')})\\b`, 'gi')

/** The table itself and its test have to name them. */
const exempt: ReadonlySet<string> = new Set(['scripts/check/words.ts', 'scripts/check/words.test.ts'])

export const checkWords = (texts: ReadonlyMap<string, string>): string[] =>
  [...texts]
    .filter(([path]) => !exempt.has(path))
    .flatMap(([path, text]) =>
      text
        .split('\n')
        .flatMap((line, at) =>
          [...line.matchAll(pattern)].map(
            ([word]) => `${path}:${at + 1} says "${word}"; say which is meant: ${barred[word.toLowerCase()]}`,
          ),
        ),
    )
