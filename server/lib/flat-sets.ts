import { createFlatMap, idWord } from './flat-map.ts'

/** Numbers of rows, millions of them. */
export interface IdSet {
  has(id: number): boolean
  add(id: number): void
}

export function createIdSet(): IdSet {
  const ids = createFlatMap({ hasValues: false })
  return { has: (id) => ids.has(idWord(id)), add: (id) => ids.set(idWord(id), 0n) }
}

/** Texts by what they hash to: among ten million, the chance that two are taken for one is one in 400,000. */
export interface TextSet {
  has(text: string): boolean
  add(text: string): void
}

export function createTextSet(): TextSet {
  const hashes = createFlatMap({ hasValues: false })
  // Nobody can choose texts that hash to the same number.
  const seed = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n
  const hashOf = (text: string): bigint => BigInt(Bun.hash(text, seed)) || 1n
  return { has: (text) => hashes.has(hashOf(text)), add: (text) => hashes.set(hashOf(text), 0n) }
}
