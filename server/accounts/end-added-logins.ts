import type { Tx } from '#server/db/database.ts'

/** Ways into an account beside its password, and the address to which that is mailed. */
interface EndedLogins {
  readonly email: string
  readonly passkeys: number
  /** The services that were linked. */
  readonly links: readonly string[]
}

const services = { GitHub: 'github_id', WeChat: 'wechat_id', 'OpenID Connect': 'oidc_id' } as const

/** After a password was reset for somebody: a stolen session may have added a passkey or a linked login, so all of them end. */
export async function endAddedLogins(tx: Tx, userId: number): Promise<EndedLogins> {
  const user = await tx
    .selectFrom('users')
    .select(['email', 'github_id', 'wechat_id', 'oidc_id'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirst()
  const links = Object.entries(services).flatMap(([name, column]) => (user[column] === '' ? [] : [name]))
  await tx
    .updateTable('users')
    .set({ github_id: '', github_login: '', wechat_id: '', oidc_id: '' })
    .where('id', '=', userId)
    .execute()
  return { email: user.email, passkeys: Number(numDeletedRows), links }
}
