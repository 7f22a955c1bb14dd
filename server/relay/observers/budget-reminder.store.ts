import type { Db } from '#server/db/database.ts'

/** Where those who run a team can be reached. */
export async function managersOf(db: Db, teamId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .select('users.email')
    .where('team_members.team_id', '=', teamId)
    .where('team_members.role', '<>', 'member')
    .where('users.email', '<>', '')
    .execute()
  return rows.map(({ email }) => email)
}
