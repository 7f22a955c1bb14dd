import { lockUsers } from '#server/accounts/lock-users.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Actor } from '#server/http/call.ts'
import { commaList } from '#shared/comma-list.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { manages } from '#shared/teams.ts'
import { findTokenById, membership, type TokenRow } from './tokens.store.ts'

/** A token that is the actor's own, or of a team that he manages. */
export async function reachToken(db: Db | Tx, actor: Pick<Actor, 'id'>, id: number): Promise<TokenRow> {
  const row = await findTokenById(db, id)
  if (!row) throw new AppError('token.not_found')
  if (row.user_id === actor.id) return row
  const role = row.team_id > 0 ? await membership(db, row.team_id, actor.id) : undefined
  if (!role || !manages(role)) throw new AppError('token.not_found')
  return row
}

/** The same, to be changed: nobody else changes it before the transaction ends. Its owner is locked, as for all that is his. */
export async function reachForChange(tx: Tx, actor: Pick<Actor, 'id'>, id: number): Promise<TokenRow> {
  await lockUsers(tx, [(await reachToken(tx, actor, id)).user_id])
  return reachToken(tx, actor, id)
}

/** Checks that the user is a member of the team, and keeps it so until the transaction ends. */
export async function requireMember(tx: Tx, teamId: number, userId: number): Promise<void> {
  if (teamId === 0) return
  await lockUsers(tx, [userId])
  if (!(await membership(tx, teamId, userId))) throw new AppError('team.not_member')
}

/** A token uses all groups of its owner, or those of them that it names. */
export async function requireOwnGroup(db: Db | Tx, group: string, userId: number): Promise<void> {
  if (group === '') return
  const owner = await db.selectFrom('users').select('group').where('id', '=', userId).executeTakeFirst()
  const groups = commaList(owner?.group ?? '')
  const own = groups.length > 0 ? groups : ['default']
  const names = commaList(group)
  const stranger = names.length === 0 ? group : names.find((name) => !own.includes(name))
  if (stranger !== undefined) throw invalid('group.not_own', { group: stranger }, 'group')
}
