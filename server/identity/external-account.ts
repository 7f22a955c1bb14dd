import { type NewAccount, openAccount } from '#server/accounts/open-account.ts'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import { takenColumn } from '#server/db/unique.ts'
import { countingRegistration } from '#server/http/attempts.ts'
import type { Call } from '#server/http/call.ts'
import { randomText } from '#server/lib/random.ts'
import type { LoginUser } from '#shared/api/auth.ts'
import { usernameMax } from '#shared/api/users.ts'
import { AppError } from '#shared/errors.ts'

const nameAlphabet = '0123456789abcdefghijklmnopqrstuvwxyz'
const attempts = 5

export type ExternalAccount = Omit<NewAccount, 'username' | 'passwordHash' | 'inviter'>

/** Finds the account of an external login, or creates one under a random name of twelve characters. */
export async function findOrCreateOwner(
  call: Call<unknown>,
  find: () => Promise<LoginUser | undefined>,
  prefix: 'github_' | 'wechat_' | 'oidc_',
  external: ExternalAccount,
): Promise<LoginUser> {
  let account = external
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const owner = await find()
    if (owner) return owner
    try {
      const username = prefix + randomText(usernameMax - prefix.length, nameAlphabet)
      await countingRegistration(call, () => create(call.ctx, username, account))
    } catch (error) {
      const taken = takenColumn(error)
      if (taken === null) throw error
      // The address belongs to another account, and that is for its owner to sort out: no linking by address.
      if (taken === 'email') account = { ...account, email: '' }
    }
  }
  throw new Error(`no free name for a ${prefix} account`)
}

function create(ctx: Context, username: string, account: ExternalAccount): Promise<number> {
  const options = ctx.options()
  if (!options.RegisterEnabled) throw new AppError('register.closed')
  return transact(ctx, (tx, announce) =>
    openAccount(
      tx,
      { ...account, username, passwordHash: '' },
      { options, secrets: ctx.secrets, at: epochSeconds(ctx), announce },
    ),
  )
}
