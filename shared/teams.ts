/** What a member is in a team, the highest first. A team has one owner. */
export const teamRoles = ['owner', 'manager', 'member'] as const
export type TeamRole = (typeof teamRoles)[number]
