const firstSlots = 1024

/**
 * A map from 64-bit numbers to 64-bit numbers, in flat arrays: millions of entries take 20 to 50 bytes each and no work of the
 * garbage collector. 0 is no key.
 */
export interface FlatMap {
  has(key: bigint): boolean
  get(key: bigint): bigint
  set(key: bigint, value: bigint): void
}

export function createFlatMap(): FlatMap {
  const arrayOf = (slots: number) => new BigUint64Array(slots)
  let keys = arrayOf(firstSlots)
  let values = arrayOf(firstSlots)
  let size = 0
  /** Where the key is, or the free slot where it would be. */
  const slotOf = (key: bigint): number => {
    const mask = keys.length - 1
    let at = Number(BigInt.asUintN(32, key)) & mask
    while (keys[at] !== 0n && keys[at] !== key) at = (at + 1) & mask
    return at
  }
  const put = (key: bigint, value: bigint): void => {
    const at = slotOf(key)
    if (keys[at] === 0n) size += 1
    keys[at] = key
    values[at] = value
  }
  const grow = (): void => {
    const [oldKeys, oldValues] = [keys, values]
    keys = arrayOf(oldKeys.length * 2)
    values = arrayOf(oldValues.length * 2)
    size = 0
    for (let at = 0; at < oldKeys.length; at += 1) {
      const key = oldKeys[at]
      if (key) put(key, oldValues[at] ?? 0n)
    }
  }
  return {
    has: (key) => key !== 0n && keys[slotOf(key)] === key,
    get: (key) => values[slotOf(key)] ?? 0n,
    set(key, value) {
      // Three quarters full, chains of taken slots grow long.
      if (size * 4 > keys.length * 3) grow()
      put(key, value)
    },
  }
}

/** The number of a row. */
export const idWord = (id: number): bigint => BigInt.asUintN(64, BigInt(Math.trunc(id) || 0))
