/** How many letters must be added, taken away or changed to make one text of the other. */
export function editDistance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const now = [row]
    for (let at = 1; at <= other.length; at++) {
      const change = (before[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1)
      now[at] = Math.min(change, (before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1)
    }
    before = now
  }
  return before[other.length] ?? 0
}
