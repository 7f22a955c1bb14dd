import { createFlatMap, type FlatMap, idWord } from '#server/lib/flat-map.ts'

/** What was stored in earlier rounds, by kind and id: a row that looks as it did is not written again. */
export interface Seen {
  /** Whether the row is new or differs from what was stored under this id. */
  isNews(kind: string, id: number, row: unknown): boolean
}

/** Where there is no other round, everything is news. */
export const nothingSeen: Seen = { isNews: () => true }

export interface SeenSoFar extends Seen {
  /** For a round that may fail: what it finds is news again in the next one, unless it is kept. */
  round(): Seen & { keep(): void }
}

export function createSeen(): SeenSoFar {
  const known = new Map<string, FlatMap>()
  const rowsOf = (kind: string): FlatMap => {
    const rows = known.get(kind) ?? createFlatMap()
    known.set(kind, rows)
    return rows
  }
  return {
    isNews: (kind, id, row) => isNewIn(rowsOf(kind), id, row),
    round() {
      const found = new Map<string, Map<bigint, bigint>>()
      return {
        isNews(kind, id, row) {
          const [before, own] = [rowsOf(kind), found.get(kind) ?? new Map<bigint, bigint>()]
          found.set(kind, own)
          const rows = {
            has: (key: bigint) => own.has(key) || before.has(key),
            get: (key: bigint) => own.get(key) ?? before.get(key),
            set: (key: bigint, looks: bigint) => void own.set(key, looks),
          }
          return isNewIn(rows, id, row)
        },
        keep() {
          for (const [kind, own] of found) for (const [key, looks] of own) rowsOf(kind).set(key, looks)
        },
      }
    },
  }
}

function isNewIn(rows: FlatMap, id: number, row: unknown): boolean {
  // Numbers of rows begin with 1, the one set of options has 0.
  const key = idWord(id + 1)
  const looks = BigInt(Bun.hash(JSON.stringify(row)))
  if (rows.has(key) && rows.get(key) === looks) return false
  rows.set(key, looks)
  return true
}
