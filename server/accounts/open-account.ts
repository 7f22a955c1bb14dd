import { book } from '#server/billing/ledger/book.ts'
import { loggedAmount } from '#server/billing/pricing/spell-amount.ts'
import type { Tx } from '#server/db/database.ts'
import { writeLog } from '#server/db/logs/log-rows.ts'
import type { Announce } from '#server/db/transact.ts'
import type { SecretBox } from '#server/lib/secret-box.ts'
import { looksOf } from '#server/lib/text/look-alike.ts'
import type { LogEvent } from '#shared/log-events.ts'
import type { OptionValues } from '#shared/options.ts'
import { roles } from '#shared/roles.ts'
import { logType, userStatus } from '#shared/statuses.ts'
import { rememberGifts } from './gifts.ts'
import { freeAffCode } from './invitation-code.ts'

export interface NewAccount {
  readonly username: string
  /** '' for accounts that have another way in. */
  readonly passwordHash: string
  readonly displayName: string
  readonly email?: string
  readonly githubId?: string
  readonly githubLogin?: string
  readonly wechatId?: string
  /** Identities at other services, as `oidc:<issuer>:<subject>`. */
  readonly others?: readonly string[]
  readonly oidcId?: string
  readonly inviter?: { readonly id: number; readonly username: string } | undefined
}

interface Terms {
  readonly options: OptionValues
  readonly secrets: Pick<SecretBox, 'hash'>
  readonly at: number
  readonly announce: Announce
}

/** Creates an ordinary user, with the gifts due to it and to its inviter. */
export async function openAccount(tx: Tx, account: NewAccount, terms: Terms): Promise<number> {
  const { id } = await tx
    .insertInto('users')
    .values({
      username: account.username,
      name_key: looksOf(account.username),
      password_hash: account.passwordHash,
      display_name: account.displayName,
      role: roles.user,
      status: userStatus.activated,
      email: account.email ?? '',
      github_id: account.githubId ?? '',
      github_login: account.githubLogin ?? '',
      wechat_id: account.wechatId ?? '',
      oidc_id: account.oidcId ?? '',
      access_token_hash: '',
      group: 'default',
      aff_code: await freeAffCode(tx),
      inviter_id: account.inviter?.id ?? 0,
      created_time: terms.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (await rememberGifts(tx, terms.secrets, account, terms.at)) await giveGifts(tx, { ...account, id }, terms)
  return id
}

type Gift = 'gift.registration' | 'gift.invited' | 'gift.inviting'

async function giveGifts(
  tx: Tx,
  account: NewAccount & { id: number },
  { options, at, announce }: Terms,
): Promise<void> {
  const { id, username, inviter } = account
  const give = async (to: { id: number; username: string }, amount: number, kind: 'grant' | 'invite', code: Gift) => {
    if (amount === 0) return
    await book(tx, { userId: to.id, kind, amount, ref: `${code}:${id}`, at })
    const event: LogEvent = { code, values: { money: loggedAmount(options, amount) } }
    await writeLog(tx, { userId: to.id, username: to.username, type: logType.system, event, at })
    announce({ topic: 'user', id: to.id })
  }
  await give({ id, username }, options.QuotaForNewUser, 'grant', 'gift.registration')
  if (!inviter) return
  await give({ id, username }, options.QuotaForInvitee, 'invite', 'gift.invited')
  await give(inviter, options.QuotaForInviter, 'invite', 'gift.inviting')
}
