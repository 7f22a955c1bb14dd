import { z } from 'zod'
import type { ForeignToken, ForeignUser } from '#server/import/form.ts'
import type { Opened } from '#server/import/program.ts'
import { code, isSet, text, whole } from '#server/import/source/cells.ts'
import { tokenColumns } from '#server/import/source/family.ts'
import { tokenFields } from '#server/import/source/family-rows.ts'
import { type RowOf, rowReader } from '#server/import/source/row-reader.ts'
import type { Source } from '#server/import/source/source.ts'
import { parseJson } from '#server/lib/json.ts'
import { distinctNames } from '#shared/comma-list.ts'
import type { BackupGroups } from './backup-groups.ts'
import { type Groups, isShut } from './groups.ts'

export const SourceToken = rowReader({
  ...tokenColumns,
  group: code,
  backup_group: code,
  deleted_at: isSet,
  setting: text,
})
export type SourceToken = RowOf<typeof SourceToken>

const list = z.array(z.string()).nullish()
const isOn = z.boolean().nullish()
/** Its program refuses a token whose settings have another shape. */
const Setting = z
  .object({
    limits: z
      .object({
        limit_model_setting: z.object({ enabled: isOn, models: list }).nullish(),
        limits_ip_setting: z.object({ enabled: isOn, whitelist: list }).nullish(),
      })
      .nullish(),
  })
  .nullable()

/** The groups of users, and those their tokens choose beside them. */
interface Belonging {
  readonly own: ReadonlyMap<number, string>
  readonly chosen: ReadonlyMap<number, ReadonlySet<string>>
}

const Owner = rowReader({ id: whole, group: code })
const Choice = rowReader({ user_id: whole, group: code, backup_group: code })

/** The groups a token chose: one, or two where its backup is kept. */
function choiceOf(
  { group, backup_group }: { group: string; backup_group: string },
  { both }: BackupGroups,
): readonly string[] {
  if (group === '' || backup_group === '') return [group || backup_group].filter(Boolean)
  return both(group, backup_group) ?? [group]
}

async function belongingOf(source: Source, userIds: readonly number[], backups: BackupGroups): Promise<Belonging> {
  const ids = [...new Set(userIds)].join(', ')
  const [group, backup] = [source.quote('group'), source.quote('backup_group')]
  const owners = await source.query(`select id, ${group} from users where id in (${ids})`)
  const choices = await source.query(
    `select user_id, ${group}, ${backup} from tokens where user_id in (${ids}) and deleted_at is null`,
  )
  const chosen = new Map<number, Set<string>>()
  for (const choice of choices.map((row) => Choice.parse(row))) {
    for (const name of choiceOf(choice, backups))
      chosen.set(choice.user_id, (chosen.get(choice.user_id) ?? new Set()).add(name))
  }
  return { own: new Map(owners.map((row) => Owner.parse(row)).map(({ id, group: of }) => [id, of])), chosen }
}

/** A token may choose any group there, and only those of its user here: the user gets those his tokens chose. */
export async function withChosenGroups(
  source: Source,
  users: readonly ForeignUser[],
  backups: BackupGroups,
): Promise<ForeignUser[]> {
  const { chosen } = await belongingOf(
    source,
    users.map(({ id }) => id),
    backups,
  )
  return users.map((user) => ({
    ...user,
    group: distinctNames([user.group, ...(chosen.get(user.id) ?? [])].join(',')).join(','),
  }))
}

export async function tokensOf(
  { source, report }: Pick<Opened, 'source' | 'report'>,
  tokens: readonly SourceToken[],
  { groups, backups }: { readonly groups: Groups; readonly backups: BackupGroups },
): Promise<ForeignToken[]> {
  const { own, chosen } = await belongingOf(
    source,
    tokens.map(({ user_id }) => user_id),
    backups,
  )
  return tokens.map((token) => {
    const userGroup = own.get(token.user_id) ?? ''
    const choice = choiceOf(token, backups)
    const isBackupLost = ![token.group, ''].includes(token.backup_group) && token.group !== '' && choice.length === 1
    if (isBackupLost && !token.deleted_at) {
      report.note(
        'backup group of the token is not used here: it is closed, or would be asked before its first group',
        `token ${token.id}`,
      )
    }
    const isWidened = [...(chosen.get(token.user_id) ?? [])].some((group) => group !== userGroup)
    return tokenOf(token, {
      // Beside a token that chose a group, one that did not stays within the user's own.
      group: choice.join(',') || (isWidened ? userGroup : ''),
      isClosed: isShut(groups, choice[0] ?? userGroup) || isShut(groups, userGroup),
    })
  })
}

/** A name that is blank is that of nothing. */
const named = (names: readonly string[] | null | undefined): string[] =>
  (names ?? []).filter((name) => name.trim() !== '')

function tokenOf(token: SourceToken, { group, isClosed }: { group: string; isClosed: boolean }): ForeignToken {
  const setting = Setting.safeParse(parseJson(token.setting || 'null'))
  const limits = setting.data?.limits
  const models = limits?.limit_model_setting?.enabled ? named(limits.limit_model_setting.models) : null
  const addresses = (limits?.limits_ip_setting?.enabled ? limits.limits_ip_setting.whitelist : null) ?? []
  return {
    ...tokenFields(token),
    isDeleted: token.deleted_at,
    models: (models ?? []).join(','),
    subnet: named(addresses).join(','),
    group,
    doubts: [
      ...(isClosed ? ['its group is closed or gone'] : []),
      ...(setting.success ? [] : ['its limits cannot be read']),
      ...(models !== null && models.length === 0 ? ['no model is allowed to it'] : []),
      // An empty list admits every address there, one of blanks none.
      ...(addresses.length > 0 && named(addresses).length === 0 ? ['no address is allowed to it'] : []),
    ],
  }
}
