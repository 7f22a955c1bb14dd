import { code, isSet, text, whole } from '#server/import/source/cells.ts'
import { rowReader } from '#server/import/source/row-reader.ts'
import { pages, type Source } from '#server/import/source/source.ts'
import { commaList } from '#shared/comma-list.ts'
import { type Group, type Groups, isOpen } from './groups.ts'
import { namesWithoutPatterns } from './models.ts'

/**
 * A token there may have a second group, whose channels serve it at that group's ratio when the first has none left. Here a channel
 * that is reached through two groups costs the lower ratio, so the channels of the second that the first has not are a group of
 * their own, `team@default`, and the token has the first and this one.
 */
export interface BackupGroups {
  /** The groups of a token with both; undefined where the second would be asked before the first. */
  both(group: string, backup: string): readonly [string, string] | undefined
  /** The groups of a channel, and those made for it. */
  withMade(groups: string): string
  readonly made: Groups
}

const Pair = rowReader({ group: code, backup_group: code })
const Carrier = rowReader({ id: whole, group: text, models: text, priority: whole, deleted_at: isSet })
type Carrier = ReturnType<typeof Carrier.parse>

/** A token names its groups in as many characters. */
const nameMax = 32

export async function readBackups(source: Source, groups: Groups): Promise<BackupGroups> {
  const made = new Map<string, Group & { readonly first: string; readonly second: string }>()
  const keptPairs = await pairsOf(source)
  const carriers = keptPairs.length === 0 ? [] : await carriersOf(source)
  for (const { group: first, backup_group: second } of keptPairs) {
    const [one, two] = [groups.get(first), groups.get(second)]
    const name = `${second}@${first}`
    const isNamable = `${first},${name}`.length <= nameMax && !groups.has(name)
    if (!one || !two || !isOpen(one) || !isOpen(two) || !isNamable || !areOrdered(carriers, first, second)) continue
    made.set(name, { first, second, ratio: two.ratio, rpm: Math.min(one.rpm, two.rpm), enable: true })
  }
  return {
    made,
    both: (group, backup) => (made.has(`${backup}@${group}`) ? [group, `${backup}@${group}`] : undefined),
    withMade(list) {
      const own = commaList(list)
      const isMade = ({ first, second }: { first: string; second: string }) =>
        own.includes(second) && !own.includes(first)
      const added = [...made].filter(([, each]) => isMade(each)).map(([name]) => name)
      return [...own, ...added].join(',')
    },
  }
}

async function pairsOf(source: Source) {
  const [group, backup] = [source.quote('group'), source.quote('backup_group')]
  const rows = await source.query(
    `select distinct ${source.exact('group')}, ${source.exact('backup_group')} from tokens where deleted_at is null and ${group} <> '' and ${backup} <> ''`,
  )
  return rows.map((row) => Pair.parse(row)).filter((pair) => pair.group !== pair.backup_group)
}

async function carriersOf(source: Source): Promise<Carrier[]> {
  const found: Carrier[] = []
  for await (const page of pages(source, 'channels', Carrier)) found.push(...page.filter((each) => !each.deleted_at))
  return found
}

/** Whether every channel of the first group goes before those that only the second has, whatever model is asked for. */
function areOrdered(carriers: readonly Carrier[], first: string, second: string): boolean {
  const least = new Map<string, number>()
  const has = ({ group }: Carrier, name: string) => commaList(group).includes(name)
  for (const carrier of carriers.filter((each) => has(each, first)))
    for (const model of namesWithoutPatterns(carrier.models))
      least.set(model, Math.min(least.get(model) ?? carrier.priority, carrier.priority))
  return carriers
    .filter((each) => has(each, second) && !has(each, first))
    .every(({ models, priority }) =>
      namesWithoutPatterns(models).every((model) => priority < (least.get(model) ?? Number.POSITIVE_INFINITY)),
    )
}
