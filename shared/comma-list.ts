/** The names of a comma-separated list, without blanks. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** The same, each name once. */
export const distinctNames = (text: string): string[] => [...new Set(commaList(text))]
