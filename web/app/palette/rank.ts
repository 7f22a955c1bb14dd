import type { Entry, EntryGroup } from './palette-entries.ts'

const shownMax = 10

/** How well a name answers the words: as a whole, at its beginning, at the beginning of a word, within; else by something unseen. */
function rankOf(label: string, words: string): number {
  const [name, wanted] = [label.toLowerCase(), words.toLowerCase()]
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  const at = name.indexOf(wanted)
  if (at < 0) return 4
  return /[\s\-_./:]/.test(name[at - 1] ?? '') ? 2 : 3
}

const best = ({ entries }: EntryGroup, words: string): number =>
  Math.min(...entries.map(({ label }) => rankOf(label, words)))

/** Things of a kind with the best names first, and the kinds by their best. */
export function bestFirst(groups: readonly EntryGroup[], words: string): EntryGroup[] {
  const byRank = (one: Entry, other: Entry) => rankOf(one.label, words) - rankOf(other.label, words)
  return groups
    .filter(({ entries }) => entries.length > 0)
    .map(({ name, entries }) => ({ name, entries: [...entries].sort(byRank) }))
    .sort((one, other) => best(one, words) - best(other, words))
}

/** Groups of one name as one: the name is their heading, and the key React knows them by. */
const joined = (groups: readonly EntryGroup[]): EntryGroup[] =>
  [...Map.groupBy(groups, ({ name }) => name)].map(([name, same]) => ({
    name,
    entries: same.flatMap(({ entries }) => entries),
  }))

/** Ten in all: every kind has its turn, the first kinds one more. */
export function atMostTen(given: readonly EntryGroup[]): EntryGroup[] {
  const groups = joined(given)
  const rows = Math.max(0, ...groups.map(({ entries }) => entries.length))
  const turns = Array.from({ length: rows }, (_, row) => groups.flatMap(({ entries }) => entries[row] ?? [])).flat()
  const kept = new Set(turns.slice(0, shownMax))
  return groups
    .map(({ name, entries }) => ({ name, entries: entries.filter((entry) => kept.has(entry)) }))
    .filter(({ entries }) => entries.length > 0)
}
