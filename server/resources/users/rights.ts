import type { Actor } from '#server/http/call.ts'
import type { userActions } from '#shared/api/users.ts'
import { AppError } from '#shared/errors.ts'
import { isAdmin, isRoot, roles } from '#shared/roles.ts'

type Who = Pick<Actor, 'id' | 'role'>
export type UserAction = (typeof userActions)[number]

/** The super administrator may look at anyone, an administrator at those below. */
export function requireReadable(actor: Who, target: Who): void {
  if (!isRoot(actor.role) && target.role >= actor.role) throw new AppError('user.same_or_higher')
}

/** One acts on those strictly below; the super administrator, whom nobody is above, on the own account too. */
export function requireEditable(actor: Who, target: Who): void {
  if (isRoot(actor.role) && target.id === actor.id) return
  if (target.role >= actor.role) throw new AppError('user.same_or_higher')
}

const lossOfRoot = {
  delete: 'user.cannot_delete_root',
  disable: 'user.cannot_disable_root',
  demote: 'user.cannot_demote_root',
} as const

/** Who may do what to whom. A super administrator can be neither demoted, banned nor deleted, so the last one stays. */
export function requireManageable(actor: Who, target: Who, action: UserAction): void {
  if (isRoot(actor.role) && isRoot(target.role) && action in lossOfRoot) {
    throw new AppError(lossOfRoot[action as keyof typeof lossOfRoot])
  }
  if (target.id === actor.id) throw new AppError('user.own_role')
  if (target.role >= actor.role) throw new AppError('user.same_or_higher')
  if (action === 'clear_second_factor' && !isRoot(actor.role)) throw new AppError('auth.forbidden')
  if (action === 'promote' && !isRoot(actor.role)) throw new AppError('user.only_root_promotes')
  if (action === 'promote' && isAdmin(target.role)) throw new AppError('user.already_admin')
  if (action === 'demote' && target.role === roles.user) throw new AppError('user.already_ordinary')
}
