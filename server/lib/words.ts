/** A table looked up with words from outside: inherited properties such as `constructor` are not in it. */
export const words = <Value>(table: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.assign(Object.create(null), table)
