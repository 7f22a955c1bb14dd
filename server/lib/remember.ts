/** Makes what belongs to a key once. When as many are remembered as may be, all are forgotten. */
export function remember<Key, Value extends object>(most: number, make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const before = known.get(key)
    if (before) return before
    const made = make(key)
    if (known.size >= most) known.clear()
    known.set(key, made)
    return made
  }
}

/** Makes what belongs to a key once; after a failure it is made anew. */
export function rememberSuccess<Key, Value>(make: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
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
