import { transact } from '#server/db/transact.ts'
import { revokeAccess } from '#server/http/session.ts'
import { hotp, stepAt } from '#server/identity/totp.ts'
import { hashPassword } from '#server/lib/passwords.ts'
import { api } from '#shared/api/all.ts'
import { type SignedIn, signIn } from './sign-in.ts'
import type { TestApp, TestClient } from './test-app.ts'

export const password = 'some password'

/** Somebody with a password. */
export async function person(app: TestApp, role: 'user' | 'admin' | 'root' = 'user', email = ''): Promise<SignedIn> {
  const client = await signIn(app, { role })
  const change = { password_hash: await hashPassword(password), email }
  await app.ctx.database.db.updateTable('users').set(change).where('id', '=', client.userId).execute()
  return client
}

/** What an authenticator app shows for a key. */
export const codeOf = (app: TestApp, secret: string, offset = 0): string =>
  hotp(secret, stepAt(Math.floor((app.time.now ?? Date.now()) / 1000)) + offset)

export async function withTotp(app: TestApp, client: TestClient): Promise<{ secret: string; recovery: string[] }> {
  const { secret } = await client.call(api.identity.totpStart, {})
  const { recovery_codes } = await client.call(api.identity.totpConfirm, { code: codeOf(app, secret, -1) })
  return { secret, recovery: recovery_codes }
}

export async function ticketFor(app: TestApp, username: string): Promise<string> {
  const answer = await app.client().call(api.auth.login, { username, password })
  if (!('ticket' in answer)) throw new Error('no second factor was asked for')
  return answer.ticket
}

export const isIn = async (client: TestClient): Promise<boolean> => (await client.raw(api.account.self, {})).success

/** What another session asks for while a new password is being written, which ends it. */
export async function whileReplaced<Answer>(
  app: TestApp,
  { userId }: SignedIn,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const asked: Promise<Answer>[] = []
  await transact(app.ctx, async (tx) => {
    await tx.updateTable('users').set({ password_hash: 'of the new one' }).where('id', '=', userId).execute()
    await revokeAccess(tx, userId, null)
    asked.push(ask())
    await Bun.sleep(100)
  })
  return (await Promise.all(asked))[0] as Answer
}
