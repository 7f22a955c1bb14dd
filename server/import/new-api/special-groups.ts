import { parseObject } from '#server/lib/json.ts'

/**
 * Users of one group may pay another ratio for a second group than everybody else does. Ours is one ratio a group, so the second one
 * as those users pay it is a group of its own here, which the same channels serve.
 */
export interface SpecialGroups {
  /** What a group is called for users of a group. */
  nameFor(own: string, group: string): string
  /** These groups, and those made from them. */
  withSpecial(groups: readonly string[]): string[]
  /** Name → the group it stands for, and its ratio. */
  readonly made: ReadonlyMap<string, { readonly group: string; readonly ratio: number }>
}

/** The example value the program ships with is ignored. */
const example = 'edit_this'
const nameMax = 32

export function specialGroups(saved: ReadonlyMap<string, string>): SpecialGroups {
  const made = new Map<string, { group: string; ratio: number }>()
  const nameOf = (own: string, group: string) => `${group}@${own}`
  for (const [own, ratios] of Object.entries(parseObject(saved.get('GroupGroupRatio') ?? ''))) {
    if (typeof ratios !== 'object' || ratios === null) continue
    for (const [group, ratio] of Object.entries(ratios)) {
      const name = nameOf(own, group)
      const isUsable = group !== example && typeof ratio === 'number' && ratio >= 0 && !/[,\s]/.test(name)
      if (isUsable && name.length <= nameMax) made.set(name, { group, ratio })
    }
  }
  return {
    made,
    nameFor: (own, group) => (made.has(nameOf(own, group)) ? nameOf(own, group) : group),
    withSpecial: (groups) => [
      ...groups,
      ...[...made].filter(([, { group }]) => groups.includes(group)).map(([name]) => name),
    ],
  }
}
