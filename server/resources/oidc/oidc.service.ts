import { rememberGifts } from '#server/accounts/gifts.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import { takenColumn } from '#server/db/unique.ts'
import { countFailure } from '#server/http/attempts.ts'
import type { Call, UserCall } from '#server/http/call.ts'
import { requestOrigin } from '#server/http/session.ts'
import { keptEmail } from '#server/identity/allowed-domain.ts'
import { bindIdentity } from '#server/identity/bind-identity.ts'
import { findOrCreateOwner } from '#server/identity/external-account.ts'
import { finishJourney, startExternal } from '#server/identity/external-state.ts'
import { grantSession } from '#server/identity/grant-session.ts'
import { arrayOf, textOf } from '#server/lib/json.ts'
import { withoutZeros } from '#server/lib/text/without-zeros.ts'
import type { LoginUser } from '#shared/api/auth.ts'
import type { OwnerProof } from '#shared/api/proof.ts'
import { displayNameMax } from '#shared/api/users.ts'
import { AppError } from '#shared/errors.ts'
import type { OptionValues } from '#shared/options.ts'
import { beginJourney, type Claims, endJourney, type Journey } from './oidc.client.ts'
import { findOidcOwner, findUnlinkedByEmail, linkOidc, rebindOidc, setGroups } from './oidc.store.ts'

const callbackPath = '/oauth/oidc'

/** Begins a login, or a binding when somebody is logged in. */
export async function startOidc(call: Call<OwnerProof>): Promise<{ url: string }> {
  const { ctx, request } = call
  const options = ctx.options()
  if (!options.OIDCEnabled) throw new AppError('oidc.off')
  const redirectUri = `${options.ServerAddress || requestOrigin(ctx, request)}${callbackPath}`
  let url = ''
  await startExternal(call, async (state) => {
    const begun = await beginJourney(ctx, state, redirectUri)
    url = begun.url
    return JSON.stringify(begun.journey)
  })
  return { url }
}

/** The callback: a binding answers `bind` and nothing else, a login the user. */
export async function finishOidc(call: Call<{ state: string }>): Promise<LoginUser | null> {
  const { ctx, input, request } = call
  const { binding, sealed } = await finishJourney(call, input.state)
  if (!ctx.options().OIDCEnabled) throw new AppError('oidc.off')
  const journey = JSON.parse(sealed) as Journey
  const claims = await endJourney(ctx, journey, input.state, new URL(request.url).search).catch(async (error) => {
    if (error instanceof AppError && error.code === 'oidc.refused') await countFailure(call)
    throw error
  })
  if (binding) {
    await bind({ ...call, actor: binding }, claims)
    call.message = 'bind'
    return null
  }
  const user = await visitor(call, claims)
  await refreshGroups(ctx, user.id, claims)
  await grantSession(call, user)
  return user
}

/** A subject is unique at its issuer only. */
const identityOf = ({ iss, sub }: Claims): string => `${iss}#${sub}`

/** By what its gifts are remembered. */
const giftsOf = ({ iss, sub }: Claims) => ({ others: [`oidc:${iss}:${sub}`] })

async function bind(call: UserCall<unknown>, claims: Claims): Promise<void> {
  const { ctx, actor } = call
  const oidcId = identityOf(claims)
  const owner = await findOidcOwner(ctx.database.db, oidcId)
  if (owner && owner.id !== actor.id) throw new AppError('oidc.taken')
  await bindIdentity(call, giftsOf(claims), (tx) => rebindOidc(tx, actor.id, oidcId)).catch((error) => {
    throw takenColumn(error) === 'oidc_id' ? new AppError('oidc.taken') : error
  })
}

async function visitor(call: Call<unknown>, claims: Claims): Promise<LoginUser> {
  const { ctx } = call
  const { db } = ctx.database
  const oidcId = identityOf(claims)
  const options = ctx.options()
  const email = verifiedEmail(options, claims)
  const known = (await findOidcOwner(db, oidcId)) ?? (email ? await joinByAddress(ctx, email, claims) : undefined)
  if (known) {
    await rememberGifts(db, ctx.secrets, giftsOf(claims), epochSeconds(ctx))
    return known
  }
  if (!options.OIDCAutoRegister) throw new AppError('oidc.no_account')
  const name = withoutZeros(textOf(claims.name) ?? textOf(claims.preferred_username) ?? '')
  return findOrCreateOwner(call, () => findOidcOwner(db, oidcId), 'oidc_', {
    displayName: [...name.trim()].slice(0, displayNameMax).join('') || options.OIDCName || 'OIDC User',
    email,
    oidcId,
    ...giftsOf(claims),
  })
}

/** Only what the provider has verified says anything about who somebody is. */
const verifiedEmail = (options: OptionValues, claims: Claims): string =>
  claims.email_verified === true ? keptEmail(options, textOf(claims.email) ?? '') : ''

async function joinByAddress(ctx: Context, email: string, claims: Claims): Promise<LoginUser | undefined> {
  const { db } = ctx.database
  const owner = await findUnlinkedByEmail(db, email)
  return owner && (await linkOidc(db, owner.id, identityOf(claims))) ? owner : undefined
}

/** Whoever leaves a group at the provider leaves it here with the next login. */
async function refreshGroups(ctx: Context, userId: number, claims: Claims): Promise<void> {
  const { OIDCGroupMap, OIDCGroupsClaim } = ctx.options()
  if (Object.keys(OIDCGroupMap).length === 0) return
  const claim = claims[OIDCGroupsClaim]
  const values = typeof claim === 'string' ? [claim] : arrayOf(claim).flatMap((value) => textOf(value) ?? [])
  const groups = values.flatMap((value) => (Object.hasOwn(OIDCGroupMap, value) ? [OIDCGroupMap[value]] : []))
  const group = [...new Set(groups)].join(',') || 'default'
  await transact(ctx, async (tx, announce) => {
    await setGroups(tx, userId, group)
    announce({ topic: 'user', id: userId })
  })
}
