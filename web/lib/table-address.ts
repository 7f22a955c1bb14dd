export interface Sort {
  column: string
  descending: boolean
}

const pageMax = 1_000_000_000

export function pageOf(text: string | null): number {
  const page = Number(text)
  return Number.isInteger(page) && page >= 1 && page <= pageMax ? page : 1
}

export function sortOf(text: string | null): Sort | null {
  if (!text) return null
  return text.startsWith('-') ? { column: text.slice(1), descending: true } : { column: text, descending: false }
}

/** First click ascending, second descending. */
export const toggledSort = (sort: Sort | null, column: string): string =>
  sort?.column === column && !sort.descending ? `-${column}` : column

/** The address with some of its fields changed; what is empty leaves it. */
export function withFields(before: URLSearchParams, changes: Readonly<Record<string, string>>): URLSearchParams {
  const after = new URLSearchParams(before)
  for (const [name, value] of Object.entries(changes)) value === '' ? after.delete(name) : after.set(name, value)
  return after
}
