import { book } from '#server/billing/ledger/book.ts'
import { epochSeconds } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import { startSession } from '#server/http/session.ts'
import { roles } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'
import type { TestApp, TestClient } from './test-app.ts'

export interface SignedIn extends TestClient {
  readonly userId: number
  readonly username: string
}

let made = 0

/** A new account with a session of its own, ready to call. */
export async function signIn(
  app: TestApp,
  account: { role?: keyof typeof roles; quota?: number; username?: string; group?: string } = {},
): Promise<SignedIn> {
  made += 1
  const username = account.username ?? `person-${made}`
  const at = epochSeconds(app.ctx)
  const userId = await transact(app.ctx, async (tx) => {
    const { id } = await tx
      .insertInto('users')
      .values({
        username,
        password_hash: '',
        display_name: username,
        role: roles[account.role ?? 'user'],
        status: userStatus.activated,
        email: '',
        github_id: '',
        github_login: '',
        wechat_id: '',
        access_token_hash: '',
        group: account.group ?? 'default',
        aff_code: '',
        inviter_id: 0,
        created_time: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await book(tx, { userId: id, kind: 'opening', amount: account.quota ?? 0, ref: `opening:${id}`, at })
    return id
  })
  return Object.assign(await enterAs(app, userId), { userId, username })
}

/** A session of an account that is there. */
export async function enterAs(app: TestApp, userId: number): Promise<TestClient> {
  const client = app.client()
  client.cookie = (await startSession(app.ctx, new Request(app.url), userId)).split(';')[0] ?? ''
  return client
}
