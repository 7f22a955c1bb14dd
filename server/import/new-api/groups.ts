import { code, text, whole } from '#server/import/source/cells.ts'
import { type RowOf, rowReader } from '#server/import/source/row-reader.ts'
import type { Source } from '#server/import/source/source.ts'
import { parseJson, parseObject } from '#server/lib/json.ts'
import type { SourceToken } from './rows.ts'
import { specialGroups } from './special-groups.ts'

/** Which groups users may choose for their tokens there, and which are chosen. */
export interface Groups {
  /** All groups a user needs here: the own one, and those of the tokens. */
  ofUser(userId: number): string[]
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

const Owner = rowReader({ id: whole, group: code })
const Chosen = rowReader({ user_id: whole, group: code, auto_groups: text })
type Chosen = RowOf<typeof Chosen>

/** The groups of these users, and what their tokens chose. */
async function belongingOf(source: Source, userIds: readonly number[]) {
  const ids = [...new Set(userIds)].join(', ')
  const group = source.quote('group')
  const hasLists = source.schema.get('tokens')?.has('auto_groups') === true
  const owners = await source.query(`select id, ${group} from users where id in (${ids})`)
  const choices = await source.query(
    `select distinct user_id, ${source.exact('group')}${hasLists ? `, ${source.exact('auto_groups')}` : ''} from tokens
      where user_id in (${ids}) and deleted_at is null and ${group} <> ''`,
  )
  const chosen = Map.groupBy(
    choices.map((row) => Chosen.parse(row)).filter((choice) => choice.group !== ''),
    ({ user_id }) => user_id,
  )
  const own = new Map(owners.map((row) => Owner.parse(row)).map(({ id, group: of }) => [id, of || 'default']))
  return { own, chosen }
}

/** Reads the groups of a page of users, or of the users of a page of tokens. */
export function groupReader(source: Source, saved: ReadonlyMap<string, string>) {
  const { mayUse, priced, auto } = rulesOf(saved)
  const { nameFor } = specialGroups(saved)
  const selectable = (own: string, group: string) => group !== automatic && mayUse(own, group) && priced.has(group)
  const wanted = (own: string, { group, auto_groups }: Pick<Chosen, 'group' | 'auto_groups'>): string[] => {
    if (group !== automatic) return selectable(own, group) ? [group] : []
    if (!mayUse(own, automatic)) return []
    const list = auto_groups.trim() === '' ? auto : textsIn(parseJson(auto_groups))
    return [...new Set(list)].filter((each) => selectable(own, each))
  }
  return async (userIds: readonly number[]): Promise<Groups> => {
    const belonging = await belongingOf(source, userIds)
    const ownOf = (userId: number): string => belonging.own.get(userId) ?? 'default'
    const ofUser = (userId: number): string[] => {
      const own = ownOf(userId)
      const all = [own, ...(belonging.chosen.get(userId) ?? []).flatMap((token) => wanted(own, token))]
      return [...new Set(all)].map((group) => nameFor(own, group))
    }
    return {
      ofUser,
      ofToken(token) {
        const own = ownOf(token.user_id)
        const all = ofUser(token.user_id)
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
}

const plain: TokenGroup = { group: '', doubts: [], remarks: [] }
