import type { TeamInvite, TeamMember } from '#shared/api/teams.ts'

/** A row of the members' table. */
export type MemberOrInvite =
  | { readonly member: TeamMember; readonly invite?: undefined }
  | { readonly invite: TeamInvite; readonly member?: undefined }

export const rowKey = ({ member, invite }: MemberOrInvite): string =>
  member ? `member ${member.user_id}` : `invite ${invite.id}`
