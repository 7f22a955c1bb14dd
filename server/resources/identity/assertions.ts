import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { epochSeconds } from '#server/context.ts'
import type { Call } from '#server/http/call.ts'
import { textOf } from '#server/lib/json.ts'
import { AppError } from '#shared/errors.ts'
import { transportsOf } from './passkeys.service.ts'
import { findPasskey, markUsed, type PasskeyRow } from './passkeys.store.ts'
import { relyingParty } from './relying-party.ts'
import { loadWebauthn } from './webauthn.ts'

export type Assertion = Record<string, unknown>

/** Options of a login; with passkeys named, only these will do. */
export async function assertionOptions({ ctx, request }: Call<unknown>, allowed?: readonly PasskeyRow[]) {
  const { generateAuthenticationOptions } = await loadWebauthn()
  return generateAuthenticationOptions({
    rpID: relyingParty(ctx, request).id,
    userVerification: 'required',
    ...(allowed
      ? { allowCredentials: allowed.map((row) => ({ id: row.credential_id, transports: transportsOf(row) })) }
      : {}),
  })
}

/** The passkey that signed an assertion; `isExpected` uses the challenge up. */
export async function verifyAssertion(
  { ctx, request }: Call<unknown>,
  assertion: Assertion,
  isExpected: (challenge: string) => boolean | Promise<boolean>,
): Promise<PasskeyRow> {
  const row = await findPasskey(ctx.database.db, textOf(assertion.id) ?? '')
  if (!row) throw new AppError('passkey.unknown')
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ctx, request)
  const { verifyAuthenticationResponse } = await loadWebauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: assertion as unknown as AuthenticationResponseJSON,
    expectedChallenge: isExpected,
    expectedOrigin,
    expectedRPID,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      counter: row.counter,
      transports: transportsOf(row),
    },
    requireUserVerification: true,
  }).catch((cause) => {
    throw new AppError('passkey.refused', {}, { cause })
  })
  if (!verified) throw new AppError('passkey.refused')
  await markUsed(ctx.database.db, row.id, authenticationInfo.newCounter, epochSeconds(ctx))
  return row
}
