import { refuse } from '#server/relay/refusals.ts'

/** The most lines a vendor takes. */
const linesMax = 100_000

/** Refused before anything is done with the lines. */
export function refuseManyLines(lines: number): void {
  if (lines > linesMax) throw refuse('batchTooLong', { most: linesMax })
}

/** What is remembered of a batch to charge its results. */
export interface BatchFacts {
  /** The part of each line that is not of the first one, by the line's key or number. */
  readonly others: ReadonlyMap<string, number>
  /** Mean input tokens of a line of each part, for vendors that report none. */
  readonly inputTokens: readonly number[]
  /** How many lines it has, and a hash of all their keys that does not depend on their order. */
  readonly lines: number
  readonly keysMark: bigint
}

/** Adds a key to the hash. */
export const withKey = (mark: bigint, key: string): bigint => mark ^ BigInt(Bun.hash(key))

/** Vendors end a batch within a day, Google within two; after this time its hold is given back. */
export const batchHours = 72

export const batchDays = 400

/** Results can be large, so fetching them may take this long. */
export const readingMs = 30 * 60_000
