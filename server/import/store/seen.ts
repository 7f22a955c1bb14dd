import { createFlatMap, type FlatMap, idWord } from '#server/lib/flat-map.ts'

/** What was stored in earlier rounds, by kind and id: a row that looks as it did is not written again. */
export interface Seen {
  /** Whether the row is new or differs from what was stored under this id. */
  isNews(kind: string, id: number, row: unknown): boolean
}

/** Where there is no other round, everything is news. */
export const nothingSeen: Seen = { isNews: () => true }

export function createSeen(): Seen {
  const known = new Map<string, FlatMap>()
  return {
    isNews(kind, id, row) {
      const rows = known.get(kind) ?? createFlatMap()
      known.set(kind, rows)
      // Numbers of rows begin with 1, the one set of options has 0.
      const key = idWord(id + 1)
      const looks = BigInt(Bun.hash(JSON.stringify(row)))
      if (rows.has(key) && rows.get(key) === looks) return false
      rows.set(key, looks)
      return true
    },
  }
}
