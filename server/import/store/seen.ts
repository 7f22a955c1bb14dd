/** What was stored in earlier rounds, by kind and id: a row that looks as it did is not written again. */
export interface Seen {
  /** Whether the row is new or differs from what was stored under this id. */
  isNews(kind: string, id: number, row: unknown): boolean
}

export function createSeen(): Seen {
  const known = new Map<string, Map<number, bigint>>()
  return {
    isNews(kind, id, row) {
      const rows = known.get(kind) ?? new Map<number, bigint>()
      known.set(kind, rows)
      const looks = BigInt(Bun.hash(JSON.stringify(row)))
      if (rows.get(id) === looks) return false
      rows.set(id, looks)
      return true
    },
  }
}
