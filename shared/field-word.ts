/** A field in the midst of a sentence. One without a name keeps its own. */
export function fieldWord(names: Readonly<Record<string, string>>, field: string): string {
  const name = Object.hasOwn(names, field) ? (names[field] ?? field) : field
  return name.charAt(0).toLowerCase() + name.slice(1)
}
