import { z } from 'zod'
import { BudgetChange, BudgetFields } from '../budget.ts'
import { endpoint, Id } from '../contract.ts'
import { fault } from '../faults.ts'
import { PageInput, pageOf } from '../pagination.ts'
import { Quota } from '../quota.ts'
import { teamRoles } from '../teams.ts'

const teamNameMax = 30
export const teamsPerUserMax = 100
/** Open at one time. */
export const invitesPerTeamMax = 100

const lengthFault = fault('team_name.length', { max: teamNameMax })

const TeamName = z
  .string(lengthFault)
  .trim()
  .min(1, lengthFault)
  .refine((value) => [...value].length <= teamNameMax, lengthFault)

const TeamRoleField = z.enum(teamRoles, fault('team.role', { roles: 'owner, manager or member' }))

export const Team = z.object({
  id: z.number(),
  name: z.string(),
  /** What the reader is in it; '' for an administrator who is not. */
  role: z.enum([...teamRoles, '']),
  quota: z.number(),
  used_quota: z.number(),
  request_count: z.number(),
  member_count: z.number(),
  created_time: z.number(),
  ...BudgetFields.shape,
})
export type Team = z.output<typeof Team>

export const TeamMember = z.object({
  user_id: z.number(),
  username: z.string(),
  display_name: z.string(),
  role: TeamRoleField,
  used_quota: z.number(),
  ...BudgetFields.shape,
  joined_time: z.number(),
})
export type TeamMember = z.output<typeof TeamMember>

/** A plain member sees only himself. */
export const TeamWithMembers = Team.extend({ members: z.array(TeamMember) })
export type TeamWithMembers = z.output<typeof TeamWithMembers>

export const TeamInvite = z.object({ id: z.number(), role: TeamRoleField, expires_at: z.number() })
export type TeamInvite = z.output<typeof TeamInvite>

const ById = z.object({ id: Id })

export const teamsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/team/',
    access: 'user',
    summary: 'A page of own teams; of all teams for administrators with `all`',
    input: PageInput.extend({
      all: z
        .enum(['true', 'false'])
        .default('false')
        .transform((text) => text === 'true'),
      keyword: z.string().trim().max(200).default(''),
    }),
    output: pageOf(Team),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/team/',
    access: 'user',
    summary: 'Create a team; the caller becomes its owner',
    input: z.object({ name: TeamName }),
    output: Team,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/team/:id',
    access: 'user',
    summary: 'One team with its members',
    input: ById,
    output: TeamWithMembers,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/team/',
    access: 'user',
    summary: 'Change a team; its quota is for administrators, by the difference to quota_before when that is given',
    input: z.object({
      id: Id,
      name: TeamName.optional(),
      ...BudgetChange.shape,
      quota: Quota.optional(),
      quota_before: Quota.optional(),
    }),
    output: Team,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/team/:id',
    access: 'user',
    summary: 'Delete a team; what is left in its wallet goes to its owner',
    input: ById,
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/team/:id/invite',
    access: 'user',
    summary: 'Make an invitation that can be used once within seven days',
    input: ById.extend({
      role: z.enum(['manager', 'member'], fault('team.role', { roles: 'manager or member' })).default('member'),
    }),
    output: TeamInvite.extend({ code: z.string(), link: z.string() }),
  }),
  invites: endpoint({
    method: 'GET',
    path: '/api/team/:id/invite',
    access: 'user',
    summary: 'A page of open invitations',
    input: PageInput.extend({ id: Id }),
    output: pageOf(TeamInvite),
  }),
  endInvite: endpoint({
    method: 'DELETE',
    path: '/api/team/:id/invite/:code_id',
    access: 'user',
    summary: 'End an invitation',
    input: ById.extend({ code_id: Id }),
  }),
  join: endpoint({
    method: 'POST',
    path: '/api/team/join',
    access: 'user',
    summary: 'Join a team with an invitation',
    input: z.object({ code: z.string(fault('code.required')).trim().min(1, fault('code.required')).max(200) }),
    output: Team,
  }),
  changeMember: endpoint({
    method: 'PUT',
    path: '/api/team/:id/member',
    access: 'user',
    summary: "Change a member's role or budget; giving `owner` passes the team on",
    input: z.object({ id: Id, user_id: Id, role: TeamRoleField.optional(), ...BudgetChange.shape }),
    output: TeamWithMembers,
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/team/:id/member/:user_id',
    access: 'user',
    summary: 'Remove a member, or leave; the tokens end',
    input: ById.extend({ user_id: Id }),
  }),
  topUp: endpoint({
    method: 'POST',
    path: '/api/team/:id/topup',
    access: 'user',
    summary: 'Redeem a code into the wallet of the team',
    input: ById.extend({ key: z.string().trim().max(200).default('') }),
    output: z.number(),
  }),
  transfer: endpoint({
    method: 'POST',
    path: '/api/team/:id/transfer',
    access: 'user',
    summary: 'Move own balance into the wallet of the team',
    input: ById.extend({ quota: Quota.min(1, fault('quota.zero')) }),
    output: z.number(),
  }),
}
