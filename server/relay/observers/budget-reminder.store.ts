import type { Db } from '#server/db/database.ts'

/** True for exactly one of all who ask in a period. */
export async function claimBudgetReminder(db: Db, key: string, period: number): Promise<boolean> {
  const value = String(period)
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('meta')
    .values({ key: `budget:${key}`, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }).where('meta.value', '<>', value))
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

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
