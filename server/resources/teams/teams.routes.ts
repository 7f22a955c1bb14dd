import { type Route, route } from '#server/http/mount.ts'
import { teamsApi } from '#shared/api/teams.ts'
import { endInvite, invite, invitePage, join } from './invites.service.ts'
import { changeMember, removeMember } from './members.service.ts'
import { topUpTeam, transfer } from './team-money.service.ts'
import { changeTeam, createTeam, getTeam, removeTeam, teamPage } from './teams.service.ts'

export const teamRoutes: readonly Route[] = [
  route(teamsApi.list, teamPage),
  route(teamsApi.create, createTeam),
  route(teamsApi.get, getTeam),
  route(teamsApi.update, changeTeam),
  route(teamsApi.remove, removeTeam),
  route(teamsApi.invite, invite),
  route(teamsApi.invites, invitePage),
  route(teamsApi.endInvite, endInvite),
  route(teamsApi.join, join),
  route(teamsApi.changeMember, changeMember),
  route(teamsApi.removeMember, removeMember),
  route(teamsApi.topUp, topUpTeam),
  route(teamsApi.transfer, transfer),
]
