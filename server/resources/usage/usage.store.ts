import type { Db, Tx } from '#server/db/database.ts'
import { lastTokenNames } from '#server/db/usage/read.ts'
import type { UsageBy } from '#shared/api/usage.ts'

export async function userIdsOf(db: Db, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const rows = await db.selectFrom('users').select('id').where('username', 'in', names).execute()
  return rows.map(({ id }) => id)
}

export async function managesTeam(db: Db, teamId: number, userId: number): Promise<boolean> {
  const member = await db
    .selectFrom('team_members')
    .select('role')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return member !== undefined && member.role !== 'member'
}

/** A key as callers see it. */
export const keyText = (by: UsageBy, key: string | number): string =>
  by !== 'payer' ? String(key) : Number(key) < 0 ? `team:${-Number(key)}` : `user:${key}`

/** What people call the things behind the keys. Who or what is gone has no name; of tokens the last one is known. */
export async function labelsOf(
  tx: Tx,
  by: UsageBy,
  keys: readonly (string | number)[],
): Promise<(key: string | number) => string> {
  if (by === 'none' || by === 'model' || by === 'group') return String
  const ids = keys.map(Number)
  if (ids.length === 0) return String
  if (by === 'payer') {
    const userOf = await labelsOf(
      tx,
      'user',
      ids.filter((id) => id > 0),
    )
    const teams = ids.filter((id) => id < 0).map((id) => -id)
    const teamOf = await labelsOf(tx, 'team', teams)
    return (key) => (Number(key) < 0 ? teamOf(-Number(key)) : userOf(key))
  }
  const names = new Map(await namesOf(tx, by, ids))
  if (by === 'token') {
    const gone = ids.filter((id) => !names.has(id))
    for (const [id, name] of await lastTokenNames(tx, gone)) names.set(id, name)
  }
  return (key) => names.get(Number(key)) ?? ''
}

async function namesOf(tx: Tx, by: 'token' | 'user' | 'channel' | 'team', ids: number[]): Promise<[number, string][]> {
  const table = ({ token: 'tokens', user: 'users', channel: 'channels', team: 'teams' } as const)[by]
  if (table === 'users') {
    const rows = await tx.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
    return rows.map(({ id, username }) => [id, username])
  }
  const rows = await tx.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).execute()
  return rows.map(({ id, name }) => [id, name])
}
