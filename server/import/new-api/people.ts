import type { ForeignToken, ForeignUser } from '#server/import/form.ts'
import { issuerOf, oidcIdOf } from '#server/import/oidc.ts'
import type { Opened } from '#server/import/program.ts'
import { tokenFields, userFields } from '#server/import/source/family-rows.ts'
import { pages, type Source } from '#server/import/source/source.ts'
import { groupReader } from './groups.ts'
import { oidcSettings, savedOptions } from './options.ts'
import { SourceFactor, SourceToken, SourceUser } from './rows.ts'

/** User id → secret of the authenticator that is asked for at logins. */
async function readFactors(source: Source, userIds: readonly number[]): Promise<Map<number, string>> {
  if (!source.schema.has('two_fas')) return new Map()
  const rows = await source.query(`select * from two_fas where user_id in (${userIds.join(', ')})`)
  const inForce = rows.map((row) => SourceFactor.parse(row)).filter((each) => each.is_enabled && !each.deleted_at)
  return new Map(inForce.map(({ user_id, secret }) => [user_id, secret || '?']))
}

export async function* readUsers({ source, report }: Opened): AsyncGenerator<ForeignUser[]> {
  const saved = await savedOptions(source)
  const issuer = issuerOf(oidcSettings(saved))
  const groupsOf = groupReader(source, saved)
  for await (const page of pages(source, 'users', SourceUser)) {
    const ids = page.map(({ id }) => id)
    const groups = await groupsOf(ids)
    const factors = await readFactors(source, ids)
    yield page.map((user) => {
      if (user.oidc_id !== '' && issuer === '')
        report.note('OpenID Connect login lost: its settings have no discovery address', `user ${user.id}`)
      const isNumber = /^\d+$/.test(user.github_id)
      return {
        ...userFields(user),
        isDeleted: user.deleted_at,
        // Older releases kept login names.
        githubId: isNumber ? user.github_id : '',
        githubLogin: isNumber ? '' : user.github_id,
        oidcId: oidcIdOf(issuer, user.oidc_id),
        group: groups.ofUser(user.id).join(','),
        createdTime: user.created_at,
        totpSecret: factors.get(user.id) ?? '',
      }
    })
  }
}

export async function* readTokens({ source, report }: Opened): AsyncGenerator<ForeignToken[]> {
  const groupsOf = groupReader(source, await savedOptions(source))
  for await (const page of pages(source, 'tokens', SourceToken)) {
    const groups = await groupsOf(page.map(({ user_id }) => user_id))
    yield page.map((token) => {
      const { group, doubts, remarks } = groups.ofToken(token)
      for (const remark of remarks) report.note(remark, `token ${token.id}`)
      return {
        ...tokenFields(token),
        isDeleted: token.deleted_at,
        models: token.model_limits_enabled ? token.model_limits : '',
        subnet: addressesOf(token).join(','),
        group,
        doubts: [...doubts, ...emptyLimit(token)],
      }
    })
  }
}

/** An address a line. Commas mean nothing there: what they part is one address, which is none. */
const addressesOf = ({ allow_ips }: SourceToken): string[] =>
  allow_ips
    .split('\n')
    .map((line) => line.replaceAll(/[\s,]/g, ''))
    .filter((line) => line !== '')

/** A list of models that is in force and empty admits none there; here it would admit all. */
const emptyLimit = ({ model_limits_enabled, model_limits }: SourceToken): string[] =>
  model_limits_enabled && model_limits.replaceAll(',', '').trim() === '' ? ['it may use no model'] : []
