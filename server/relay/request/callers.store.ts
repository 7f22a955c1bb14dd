import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { tokenStatus } from '#shared/statuses.ts'

/** A token with its user, as far as the relay needs them. */
export async function readCaller(db: Db, keyHash: string, now: number) {
  const current = await callers(db).where('tokens.key_hash', '=', keyHash).executeTakeFirst()
  if (current) return { ...current, previousKeyExpires: 0 }
  return callers(db)
    .select('tokens.previous_key_expires as previousKeyExpires')
    .where('tokens.previous_key_hash', '=', keyHash)
    .where('tokens.previous_key_hash', '<>', '')
    .where('tokens.previous_key_expires', '>', now)
    .executeTakeFirst()
}

/** The same by the token's number, for what was begun with it. */
export const readCallerOf = (db: Db, tokenId: number) => callers(db).where('tokens.id', '=', tokenId).executeTakeFirst()

/** The membership whose budget counts it; null for who is not in the team. */
const budgetMember = sql<number | null>`coalesce(team_budget_shares.member_id, team_members.id)`

const callers = (db: Db) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .leftJoin('teams', 'teams.id', 'tokens.team_id')
    .leftJoin('team_members', (join) =>
      join.onRef('team_members.team_id', '=', 'tokens.team_id').onRef('team_members.user_id', '=', 'tokens.user_id'),
    )
    .leftJoin('team_budget_shares', (join) =>
      join
        .onRef('team_budget_shares.team_id', '=', 'team_members.team_id')
        .onRef('team_budget_shares.user_id', '=', 'team_members.user_id'),
    )
    .select([
      'tokens.id as tokenId',
      'tokens.name as tokenName',
      'tokens.status as tokenStatus',
      'tokens.expired_time as expiredTime',
      'tokens.unlimited_quota as unlimited',
      'tokens.models',
      'tokens.subnet',
      'users.id as userId',
      'users.username',
      'users.email',
      'users.role',
      'users.status as userStatus',
      'users.group',
      'tokens.team_id as teamId',
      'teams.name as teamName',
      budgetMember.as('memberId'),
      'tokens.group as tokenGroup',
      'tokens.rpm',
      'tokens.tpm',
      'tokens.parallel',
    ])

export type CallerRow = NonNullable<Awaited<ReturnType<typeof readCaller>>>

const markEnabled = (db: Db, tokenId: number, status: number) =>
  db.updateTable('tokens').set({ status }).where('id', '=', tokenId).where('status', '=', tokenStatus.enabled)

/** Marks an enabled token as expired. Returns whether it was enabled. */
export async function markExpired(db: Db, tokenId: number): Promise<boolean> {
  const result = await markEnabled(db, tokenId, tokenStatus.expired).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Marks an enabled token as exhausted, unless running requests only hold what it has. Returns whether it was marked. */
export async function markExhausted(db: Db, tokenId: number): Promise<boolean> {
  const result = await markEnabled(db, tokenId, tokenStatus.exhausted)
    .where('remain_quota', '<=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('holds').select('holds.id').where('holds.token_id', '=', tokenId))),
    )
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export const readBalances = (db: Db, tokenId: number) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .leftJoin('teams', 'teams.id', 'tokens.team_id')
    .select(({ fn }) => [
      'tokens.remain_quota as tokenRemain',
      'tokens.used_quota as tokenUsed',
      'tokens.unlimited_quota as unlimited',
      'tokens.expired_time as expiredTime',
      fn.coalesce('teams.quota', 'users.quota').as('walletQuota'),
      fn.coalesce('teams.used_quota', 'users.used_quota').as('walletUsed'),
    ])
    .where('tokens.id', '=', tokenId)
    .executeTakeFirst()

/** What is left in the purses a token spends from. */
export const readPurse = (db: Db, tokenId: number) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .leftJoin('teams', 'teams.id', 'tokens.team_id')
    .select(['tokens.remain_quota as token', 'users.quota as user', 'teams.quota as team'])
    .where('tokens.id', '=', tokenId)
    .executeTakeFirst()

/** Puts a token back that a clock running ahead had expired. Returns whether it had. */
export async function markRevived(db: Db, tokenId: number): Promise<boolean> {
  const result = await db
    .updateTable('tokens')
    .set({ status: tokenStatus.enabled })
    .where('id', '=', tokenId)
    .where('status', '=', tokenStatus.expired)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
