import { pages, type Source } from '#server/import/source/source.ts'
import { parseJson, parseObject } from '#server/lib/json.ts'
import { SourceToken } from './rows.ts'
import { specialGroups } from './special-groups.ts'

/** Which groups users may choose for their tokens there, and which are chosen. */
export interface Groups {
  /** All groups a user needs here: the own one, and those of the tokens. */
  ofUser(userId: number, own: string): string[]
  /** The group of a token, with a reason where the token was refused there or cannot be kept. */
  ofToken(token: Pick<SourceToken, 'user_id' | 'group' | 'auto_groups'>): TokenGroup
}

export interface TokenGroup {
  readonly group: string
  readonly doubts: readonly string[]
  readonly remarks: readonly string[]
}

const automatic = 'auto'

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

/** Its rules, as the options say or its code when they were never saved. */
function rulesOf(saved: ReadonlyMap<string, string>) {
  const keysOf = (option: string, otherwise: readonly string[]): ReadonlySet<string> => {
    const text = saved.get(option)
    return new Set(text === undefined ? otherwise : Object.keys(parseObject(text)))
  }
  const usable = keysOf('UserUsableGroups', ['default', 'vip'])
  const priced = keysOf('GroupRatio', ['default', 'vip', 'svip'])
  const special = parseObject(saved.get('group_ratio_setting.group_special_usable_group') ?? '')
  const auto = textsIn(parseJson(saved.get('AutoGroups') ?? '["default"]'))
  const mayUse = (own: string, group: string): boolean => {
    const rules = Object.keys((special[own] as Record<string, unknown> | undefined) ?? {})
    if (rules.includes(`-:${group}`)) return group === own
    return usable.has(group) || rules.includes(group) || rules.includes(`+:${group}`) || group === own
  }
  return { mayUse, priced, auto }
}

type Chosen = Pick<SourceToken, 'user_id' | 'group' | 'auto_groups'>

/** Reads which groups the tokens have. Only users with such tokens are kept in memory. */
export async function readGroups(source: Source, saved: ReadonlyMap<string, string>): Promise<Groups> {
  const { mayUse, priced, auto } = rulesOf(saved)
  const { nameFor } = specialGroups(saved)
  const owners = new Map<number, string>()
  const chosen = new Map<number, Chosen[]>()
  for await (const page of pages(source, 'tokens', SourceToken)) {
    for (const { user_id, group, auto_groups, deleted_at } of page) {
      if (deleted_at || group === '') continue
      chosen.set(user_id, [...(chosen.get(user_id) ?? []), { user_id, group, auto_groups }])
    }
  }
  const selectable = (own: string, group: string) => group !== automatic && mayUse(own, group) && priced.has(group)
  const wanted = (own: string, { group, auto_groups }: Chosen): string[] => {
    if (group !== automatic) return selectable(own, group) ? [group] : []
    if (!mayUse(own, automatic)) return []
    const list = auto_groups.trim() === '' ? auto : textsIn(parseJson(auto_groups))
    return [...new Set(list)].filter((each) => selectable(own, each))
  }
  const ofUser = (userId: number, own: string): string[] => {
    owners.set(userId, own)
    const all = [own, ...(chosen.get(userId) ?? []).flatMap((token) => wanted(own, token))]
    return [...new Set(all)].map((group) => nameFor(own, group))
  }
  return {
    ofUser,
    ofToken(token) {
      const own = owners.get(token.user_id) ?? 'default'
      const all = ofUser(token.user_id, own)
      if (token.group === '') return { ...plain, group: all.length > 1 ? nameFor(own, own) : '' }
      const groups = wanted(own, token)
      const [first] = groups
      if (first === undefined) return { ...plain, group: '', doubts: [`its group ${token.group} was refused there`] }
      if (groups.length === all.length) return { ...plain, group: all.length > 1 ? '' : nameFor(own, own) }
      const remarks = groups.length > 1 ? [`token with the groups ${groups.join(', ')} keeps the first alone`] : []
      return { ...plain, group: nameFor(own, first), remarks }
    },
  }
}

const plain: TokenGroup = { group: '', doubts: [], remarks: [] }
