import type { AuthenticatorTransport, RegistrationResponseJSON } from '@simplewebauthn/server'
import { lockMaker } from '#server/accounts/lock-users.ts'
import { epochSeconds } from '#server/context.ts'
import { pageFrom } from '#server/db/page.ts'
import { transact } from '#server/db/transact.ts'
import type { UserCall } from '#server/http/call.ts'
import { factorsOf } from '#server/http/second-factors.ts'
import { requireEntrance } from '#server/http/session.ts'
import { hasProof, requireProof } from '#server/identity/proof.ts'
import { type identityApi, type Passkey, passkeysPerUserMax } from '#shared/api/identity.ts'
import type { OwnerProof } from '#shared/api/proof.ts'
import { commaList } from '#shared/comma-list.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import type { Page, PageInput } from '#shared/pagination.ts'
import { issueChallenge, spendChallenge } from './challenges.ts'
import {
  deletePasskey,
  insertPasskey,
  type PasskeyRow,
  pageOfPasskeys,
  passkeysOf,
  renamePasskey,
} from './passkeys.store.ts'
import { relyingParty } from './relying-party.ts'
import { loadWebauthn } from './webauthn.ts'

const present = ({ id, name, created_time, used_time }: PasskeyRow): Passkey => ({ id, name, created_time, used_time })

export const transportsOf = ({ transports }: PasskeyRow) => commaList(transports) as AuthenticatorTransport[]

/** The proof may come with this call, before the browser makes the passkey, or with the passkey. */
export async function passkeyOptions(call: UserCall<OwnerProof>): Promise<Record<string, unknown>> {
  const { ctx, actor, request } = call
  const isProven = hasProof(call.input)
  if (isProven) await requireProof(call)
  const { id: rpID } = relyingParty(ctx, request)
  const known = await passkeysOf(ctx.database.db, actor.id)
  if (known.length >= passkeysPerUserMax) throw new AppError('passkey.too_many', { limit: passkeysPerUserMax })
  const { generateRegistrationOptions } = await loadWebauthn()
  const options = await generateRegistrationOptions({
    rpName: ctx.options().SystemName || 'Switchyard',
    rpID,
    userName: actor.username,
    userID: new TextEncoder().encode(`user:${actor.id}`),
    attestationType: 'none',
    excludeCredentials: known.map((row) => ({ id: row.credential_id, transports: transportsOf(row) })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await issueChallenge(ctx, isProven ? 'register' : 'register_unproven', actor.id, options.challenge)
  return { ...options }
}

export async function createPasskey(call: UserCall<InputOf<typeof identityApi.passkeyCreate>>): Promise<Passkey> {
  const { ctx, actor, request, input } = call
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ctx, request)
  const { verifyRegistrationResponse } = await loadWebauthn()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: input.response as unknown as RegistrationResponseJSON,
    expectedChallenge: (challenge) => spendOwnChallenge(call, challenge),
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
  }).catch((cause) => {
    throw cause instanceof AppError ? cause : new AppError('passkey.refused', {}, { cause })
  })
  if (!verified) throw new AppError('passkey.refused')
  const { id, publicKey, counter, transports } = registrationInfo.credential
  const row = {
    user_id: actor.id,
    name: input.name,
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: (transports ?? []).join(','),
    created_time: epochSeconds(ctx),
    used_time: 0,
  }
  return transact(ctx, async (tx) => {
    const limit = passkeysPerUserMax
    await lockMaker(tx, actor.id)
    await requireEntrance(tx, call)
    if ((await factorsOf(tx, actor.id)).passkeys >= limit) throw new AppError('passkey.too_many', { limit })
    return present(await insertPasskey(tx, row))
  }).catch((error) => {
    // The passkey is registered already.
    throw error instanceof Error && /unique/i.test(error.message) ? new AppError('passkey.refused') : error
  })
}

/** One that was asked for without a proof takes it now. */
async function spendOwnChallenge(call: UserCall<OwnerProof>, challenge: string): Promise<boolean> {
  const { ctx, actor } = call
  if (await spendChallenge(ctx, 'register', actor.id, challenge)) return true
  if (!(await spendChallenge(ctx, 'register_unproven', actor.id, challenge))) return false
  await requireProof(call)
  return true
}

export async function passkeyPage({ ctx, actor, input }: UserCall<PageInput>): Promise<Page<Passkey>> {
  const { db } = ctx.database
  const rows = await pageOfPasskeys(db, actor.id, input)
  return pageFrom(input, rows.map(present), (await factorsOf(db, actor.id)).passkeys)
}

export async function changePasskeyName({
  ctx,
  actor,
  input,
}: UserCall<InputOf<typeof identityApi.passkeyRename>>): Promise<Passkey> {
  const row = await renamePasskey(ctx.database.db, actor.id, input.id, input.name)
  if (!row) throw new AppError('passkey.not_found')
  return present(row)
}

export async function removePasskey({ ctx, actor, input }: UserCall<{ id: number }>): Promise<void> {
  if (!(await deletePasskey(ctx.database.db, actor.id, input.id))) throw new AppError('passkey.not_found')
}
