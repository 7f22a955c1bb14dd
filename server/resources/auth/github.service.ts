import { rememberGifts } from '#server/accounts/gifts.ts'
import { epochSeconds } from '#server/context.ts'
import { takenColumn } from '#server/db/unique.ts'
import { countFailure } from '#server/http/attempts.ts'
import type { Call, UserCall } from '#server/http/call.ts'
import { keptEmail } from '#server/identity/allowed-domain.ts'
import { bindIdentity } from '#server/identity/bind-identity.ts'
import { findOrCreateOwner } from '#server/identity/external-account.ts'
import { finishExternal } from '#server/identity/external-state.ts'
import { grantSession } from '#server/identity/grant-session.ts'
import type { authApi, LoginUser } from '#shared/api/auth.ts'
import { displayNameMax } from '#shared/api/users.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { findGithubOwner, type GithubIdentity, linkGithub } from './external.store.ts'
import { fetchGithubUser, type GithubUser } from './github.client.ts'

/** The callback of GitHub: a binding answers `bind` and nothing else, a login the user. */
export async function finishGithub(call: Call<InputOf<typeof authApi.github>>): Promise<LoginUser | null> {
  const { ctx, input } = call
  const binding = await finishExternal(call, input.state)
  if (!ctx.options().GitHubOAuthEnabled) throw new AppError('github.off')
  const github = await fetchGithubUser(ctx, input.code).catch(async (error) => {
    if (error instanceof AppError && error.code === 'github.refused') await countFailure(call)
    throw error
  })
  if (binding) {
    await bind({ ...call, actor: binding }, github)
    call.message = 'bind'
    return null
  }
  const user = await visitor(call, github)
  await grantSession(call, user)
  return user
}

async function bind(call: UserCall<unknown>, github: GithubIdentity): Promise<void> {
  const { ctx, actor } = call
  const owner = await findGithubOwner(ctx.database.db, github)
  if (owner && owner.id !== actor.id) throw new AppError('github.taken')
  await bindIdentity(call, { githubId: github.id }, (tx) => linkGithub(tx, actor.id, github)).catch((error) => {
    throw takenColumn(error) === 'github_id' ? new AppError('github.taken') : error
  })
}

async function visitor(call: Call<unknown>, github: GithubUser): Promise<LoginUser> {
  const { ctx } = call
  const { db } = ctx.database
  const user = await findOrCreateOwner(call, () => findGithubOwner(db, github), 'github_', {
    displayName: [...github.name.trim()].slice(0, displayNameMax).join('') || 'GitHub User',
    email: keptEmail(ctx.options(), github.email),
    githubId: github.id,
    githubLogin: github.login,
  })
  await linkGithub(db, user.id, github)
  // An imported account had its gifts where it came from, where nobody knew the number.
  await rememberGifts(db, ctx.secrets, { githubId: github.id }, epochSeconds(ctx))
  return user
}
