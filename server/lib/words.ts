/** A table that is asked with words others chose: what every object has, as `constructor`, is not in it. */
export const words = <Value>(table: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.assign(Object.create(null), table)
