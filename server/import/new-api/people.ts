import type { ForeignToken, ForeignUser } from '#server/import/form.ts'
import { issuerOf, oidcIdOf } from '#server/import/oidc.ts'
import type { Opened } from '#server/import/program.ts'
import { mapPages, pages, type Source } from '#server/import/source/source.ts'
import { userStatus } from '#shared/statuses.ts'
import { readGroups } from './groups.ts'
import { oidcSettings, savedOptions } from './options.ts'
import { SourceFactor, SourceToken, SourceUser } from './rows.ts'

/** User id → secret of the authenticator that is asked for at logins. */
async function readFactors(source: Source): Promise<Map<number, string>> {
  const secrets = new Map<number, string>()
  if (!source.schema.has('two_fas')) return secrets
  for await (const page of pages(source, 'two_fas', SourceFactor)) {
    for (const factor of page) {
      if (factor.is_enabled && !factor.deleted_at) secrets.set(factor.user_id, factor.secret || '?')
    }
  }
  return secrets
}

export async function* readUsers({ source, report }: Opened): AsyncGenerator<ForeignUser[]> {
  const saved = await savedOptions(source)
  const issuer = issuerOf(oidcSettings(saved))
  const groups = await readGroups(source, saved)
  const factors = await readFactors(source)
  for await (const page of pages(source, 'users', SourceUser)) {
    yield page.map((user) => {
      if (user.oidc_id !== '' && issuer === '')
        report.note('OpenID Connect login lost: its settings have no discovery address', `user ${user.id}`)
      const isNumber = /^\d+$/.test(user.github_id)
      return {
        id: user.id,
        isDeleted: user.deleted_at,
        username: user.username,
        password: user.password,
        displayName: user.display_name,
        role: user.role,
        isEnabled: user.status === userStatus.activated,
        email: user.email,
        // Older releases kept login names.
        githubId: isNumber ? user.github_id : '',
        githubLogin: isNumber ? '' : user.github_id,
        wechatId: user.wechat_id,
        oidcId: oidcIdOf(issuer, user.oidc_id),
        accessToken: user.access_token,
        quota: user.quota,
        usedQuota: user.used_quota,
        requestCount: user.request_count,
        group: groups.ofUser(user.id, user.group || 'default').join(','),
        affCode: user.aff_code,
        inviterId: user.inviter_id,
        createdTime: user.created_at,
        totpSecret: factors.get(user.id) ?? '',
      }
    })
  }
}

export async function* readTokens({ source, report }: Opened): AsyncGenerator<ForeignToken[]> {
  const groups = await readGroups(source, await savedOptions(source))
  for await (const page of mapPages(pages(source, 'users', SourceUser), (user) => user)) {
    for (const user of page) groups.ofUser(user.id, user.group || 'default')
  }
  for await (const page of pages(source, 'tokens', SourceToken)) {
    yield page.map((token) => {
      const { group, doubts, remarks } = groups.ofToken(token)
      for (const remark of remarks) report.note(remark, `token ${token.id}`)
      return {
        id: token.id,
        isDeleted: token.deleted_at,
        userId: token.user_id,
        key: token.key,
        name: token.name,
        status: token.status,
        createdTime: token.created_time,
        accessedTime: token.accessed_time,
        expiredTime: token.expired_time,
        remainQuota: token.remain_quota,
        isUnlimited: token.unlimited_quota,
        usedQuota: token.used_quota,
        models: token.model_limits_enabled ? token.model_limits : '',
        subnet: token.allow_ips.replaceAll(' ', '').replaceAll(',', '\n').split(/\s+/).filter(Boolean).join(','),
        group,
        doubts: [...doubts, ...emptyLimit(token)],
      }
    })
  }
}

/** A list of models that is in force and empty admits none there; here it would admit all. */
const emptyLimit = ({ model_limits_enabled, model_limits }: SourceToken): string[] =>
  model_limits_enabled && model_limits.replaceAll(',', '').trim() === '' ? ['it may use no model'] : []
