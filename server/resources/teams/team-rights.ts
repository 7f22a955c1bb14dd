import type { Db, Tx } from '#server/db/database.ts'
import type { Actor } from '#server/http/call.ts'
import { AppError } from '#shared/errors.ts'
import { isAdmin, isRoot } from '#shared/roles.ts'
import { manages } from '#shared/teams.ts'
import { findTeam, type MemberRow, memberOf, ownerRoleOf, type ShownTeam } from './teams.store.ts'

/** A team the actor is in, or any for an administrator. Whoever else asks learns nothing of it. */
export async function readableTeam(db: Db | Tx, actor: Actor, id: number): Promise<ShownTeam> {
  const team = await findTeam(db, id, actor.id)
  if (!team || (team.role === null && !isAdmin(actor.role))) throw new AppError('team.not_found')
  return team
}

/** What the actor is in a team; refuses who is not in it. */
export async function requireIn(db: Db | Tx, actor: Pick<Actor, 'id'>, teamId: number): Promise<MemberRow> {
  const member = await memberOf(db, teamId, actor.id)
  if (!member) throw new AppError('team.not_found')
  return member
}

export async function requireManager(db: Db | Tx, actor: Pick<Actor, 'id'>, teamId: number): Promise<MemberRow> {
  const member = await requireIn(db, actor, teamId)
  if (!manages(member.role)) throw new AppError('auth.forbidden')
  return member
}

/** The quota of a team is its people's money: an administrator gives none to an own team, nor to one of his like, as with accounts. */
export async function requireCreditable(db: Db | Tx, actor: Actor, teamId: number): Promise<void> {
  if (!isAdmin(actor.role)) throw new AppError('auth.forbidden')
  if (isRoot(actor.role)) return
  const isOwn = (await memberOf(db, teamId, actor.id)) !== undefined
  const owner = await ownerRoleOf(db, teamId)
  if (isOwn || (owner !== undefined && owner >= actor.role)) throw new AppError('team.own_quota')
}
