/** Whole numbers by the number of a row: millions of rows that lie close together take eight bytes each. */
export interface SumsById {
  get(id: number): number
  add(id: number, amount: number): void
  /** No row above it has a sum. */
  highest(): number
}

const rowsPerBlock = 1024

export function createSums(): SumsById {
  const blocks = new Map<number, Float64Array>()
  let highest = 0
  const blockOf = (id: number): number => Math.floor(id / rowsPerBlock)
  const placeOf = (id: number): number => ((id % rowsPerBlock) + rowsPerBlock) % rowsPerBlock
  return {
    get: (id) => blocks.get(blockOf(id))?.[placeOf(id)] ?? 0,
    add(id, amount) {
      if (amount === 0) return
      const block = blocks.get(blockOf(id)) ?? new Float64Array(rowsPerBlock)
      blocks.set(blockOf(id), block)
      block[placeOf(id)] = (block[placeOf(id)] ?? 0) + amount
      highest = Math.max(highest, id)
    },
    highest: () => highest,
  }
}
