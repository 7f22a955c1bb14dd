import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import type { TeamRole } from '#shared/teams.ts'

/** `unproven` is an administrator without the second factor that is asked of administrators. */
export const people = ['nobody', 'user', 'member', 'manager', 'owner', 'admin', 'root', 'banned', 'unproven'] as const
export type Person = (typeof people)[number]

/** One of each kind, with an account and a session of its own. */
export async function bringPeople(app: TestApp): Promise<Record<Person, TestClient>> {
  const banned = await signIn(app, { role: 'root' })
  await app.ctx.database.db.updateTable('users').set({ status: 2 }).where('id', '=', banned.userId).execute()
  return {
    nobody: app.client(),
    user: await signIn(app),
    ...(await team(app)),
    admin: await proven(app, await signIn(app, { role: 'admin' })),
    root: await proven(app, await signIn(app, { role: 'root' })),
    banned,
    unproven: await signIn(app, { role: 'admin' }),
  }
}

/** Rights in a team are rights over that team, and open no door of the operator. */
async function team(app: TestApp): Promise<Record<'member' | 'manager' | 'owner', TestClient>> {
  const members = { owner: await signIn(app), manager: await signIn(app), member: await signIn(app) }
  const { db } = app.ctx.database
  const yard = { name: 'yard', created_time: 0 }
  const { id: team_id } = await db.insertInto('teams').values(yard).returning('id').executeTakeFirstOrThrow()
  for (const [role, { userId: user_id }] of Object.entries(members) as [TeamRole, SignedIn][]) {
    await db.insertInto('team_members').values({ team_id, user_id, role, joined_time: 0 }).execute()
  }
  return members
}

async function proven(app: TestApp, client: SignedIn): Promise<SignedIn> {
  const key = {
    user_id: client.userId,
    name: 'key',
    credential_id: Buffer.from(`key ${client.userId}`).toString('base64url'),
    public_key: '',
  }
  const counts = { counter: 0, transports: '', created_time: 0, used_time: 0 }
  await app.ctx.database.db
    .insertInto('passkeys')
    .values({ ...key, ...counts })
    .execute()
  return client
}
