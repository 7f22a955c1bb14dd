import { z } from 'zod'
import { endpoint, Id } from '../contract.ts'
import { PageInput, pageOf } from '../pagination.ts'
import { LoginUser } from './auth.ts'
import { OwnerProof } from './proof.ts'

const Code = z.string().trim().min(1).max(100)
const Ticket = z.string().min(1).max(200)

/** What the browser's own call for passkeys takes and gives; its shape is the standard's. */
const Ceremony = z.record(z.string(), z.unknown())

export const passkeysPerUserMax = 20

const PasskeyName = z.string().trim().min(1).max(60)

export const Passkey = z.object({
  id: z.number(),
  name: z.string(),
  created_time: z.number(),
  /** 0 when it was never used. */
  used_time: z.number(),
})
export type Passkey = z.output<typeof Passkey>

const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

const own = true

export const identityApi = {
  secondFactor: endpoint({
    method: 'GET',
    path: '/api/user/second_factor',
    access: 'user',
    own,
    summary: 'Which second factors the own account has',
    output: z.object({ totp: z.boolean(), recovery_codes_left: z.number(), passkeys: z.number() }),
  }),
  totpStart: endpoint({
    method: 'POST',
    path: '/api/user/totp',
    access: 'user',
    own,
    summary: 'A new secret for an authenticator app; it counts once it is confirmed',
    output: z.object({ secret: z.string(), uri: z.string() }),
  }),
  totpConfirm: endpoint({
    method: 'POST',
    path: '/api/user/totp/confirm',
    access: 'user',
    own,
    summary: 'Confirm the authenticator app with a code of it; answers ten recovery codes',
    input: z.object({ code: Code }),
    output: RecoveryCodes,
  }),
  totpRecovery: endpoint({
    method: 'POST',
    path: '/api/user/totp/recovery',
    access: 'user',
    own,
    summary: 'Ten new recovery codes in place of the old ones',
    input: z.object({ code: Code }),
    output: RecoveryCodes,
  }),
  totpDisable: endpoint({
    method: 'POST',
    path: '/api/user/totp/disable',
    access: 'user',
    own,
    summary: 'Remove the authenticator app and its recovery codes',
    input: z.object({ code: Code }),
  }),
  passkeyOptions: endpoint({
    method: 'POST',
    path: '/api/user/passkey/options',
    access: 'user',
    own,
    summary: 'What the browser needs to make a passkey',
    input: OwnerProof,
    output: Ceremony,
  }),
  passkeyCreate: endpoint({
    method: 'POST',
    path: '/api/user/passkey',
    access: 'user',
    own,
    summary: 'Keep a passkey the browser has made, with the password or a second factor',
    input: OwnerProof.extend({ name: PasskeyName, response: Ceremony }),
    output: Passkey,
  }),
  passkeys: endpoint({
    method: 'GET',
    path: '/api/user/passkey',
    access: 'user',
    own,
    summary: 'The own passkeys',
    input: PageInput,
    output: pageOf(Passkey),
  }),
  passkeyRename: endpoint({
    method: 'PUT',
    path: '/api/user/passkey',
    access: 'user',
    own,
    summary: 'Rename a passkey',
    input: z.object({ id: Id, name: PasskeyName }),
    ignores: Object.keys(Passkey.shape),
    output: Passkey,
  }),
  passkeyRemove: endpoint({
    method: 'DELETE',
    path: '/api/user/passkey/:id',
    access: 'user',
    own,
    summary: 'Remove a passkey',
    input: z.object({ id: Id }),
  }),
  passkeyLoginOptions: endpoint({
    method: 'POST',
    path: '/api/user/login/passkey/options',
    access: 'public',
    summary: 'What the browser needs to log in with a passkey',
    output: Ceremony,
  }),
  passkeyLogin: endpoint({
    method: 'POST',
    path: '/api/user/login/passkey',
    access: 'public',
    summary: 'Log in with a passkey',
    input: z.object({ assertion: Ceremony }),
    output: LoginUser,
  }),
  secondLoginOptions: endpoint({
    method: 'POST',
    path: '/api/user/login/second/options',
    access: 'public',
    summary: 'What the browser needs to end a login with a passkey',
    input: z.object({ ticket: Ticket }),
    output: Ceremony,
  }),
  secondLogin: endpoint({
    method: 'POST',
    path: '/api/user/login/second',
    access: 'public',
    summary: 'End a login with a code of the authenticator app, a recovery code or a passkey',
    input: z.object({ ticket: Ticket, code: Code.optional(), assertion: Ceremony.optional() }),
    output: LoginUser,
  }),
}
