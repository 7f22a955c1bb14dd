import { commaList } from '#shared/comma-list.ts'

/** Of its owner's groups those a token names; all of them where it names none. */
export function chosenGroups(own: readonly string[], named: string): readonly string[] {
  const names = commaList(named)
  return names.length === 0 ? own : own.filter((group) => names.includes(group))
}
