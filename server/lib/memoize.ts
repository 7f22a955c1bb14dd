/**
 * Computes the value of a key once. The cache is emptied when it holds `most` values. With `markOf` it keeps marks in the place of
 * keys that are large.
 */
export function memoize<Key, Value extends object>(
  most: number,
  make: (key: Key) => Value,
  markOf?: (key: Key) => unknown,
): (key: Key) => Value {
  const known = new Map<unknown, Value>()
  return (key) => {
    const mark = markOf ? markOf(key) : key
    const before = known.get(mark)
    if (before) return before
    const made = make(key)
    if (known.size >= most) known.clear()
    known.set(mark, made)
    return made
  }
}

/** Computes the value of a key once; a failure is not kept. */
export function memoizeSuccess<Key, Value>(make: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const known = new Map<Key, Promise<Value>>()
  return (key) => {
    const before = known.get(key)
    if (before) return before
    const made = make(key)
    known.set(key, made)
    made.catch(() => known.delete(key))
    return made
  }
}
