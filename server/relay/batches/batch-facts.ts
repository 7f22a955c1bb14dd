/** What must be known again when the results of a batch are paid. */
export interface BatchFacts {
  /** Lines that are not of the first part, by their key or their number, and which part they are of. */
  readonly others: ReadonlyMap<string, number>
  /** How long a question of each part is, for answers whose vendor does not say. */
  readonly inputTokens: readonly number[]
  /** How many lines it has, and a mark of all their keys in any order. */
  readonly lines: number
  readonly keysMark: bigint
}

/** The mark of one more key. */
export const withKey = (mark: bigint, key: string): bigint => mark ^ BigInt(Bun.hash(key))

/** Vendors give a batch a day, Google two; what nobody could look at by then is given back. */
export const batchHours = 72

export const batchDays = 400
