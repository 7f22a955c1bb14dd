/** What a member is in a team, the highest first. A team has one owner. */
export const teamRoles = ['owner', 'manager', 'member'] as const
export type TeamRole = (typeof teamRoles)[number]

/** Whether a role runs the team: sees all its tokens, its log and its members. */
export const manages = (role: TeamRole): boolean => role !== 'member'

/** The owner stands above everyone else, a manager above plain members; '' is somebody who is not in the team. */
export const outranks = (own: TeamRole | '', other: TeamRole): boolean =>
  own === 'owner' ? other !== 'owner' : own === 'manager' && other === 'member'
