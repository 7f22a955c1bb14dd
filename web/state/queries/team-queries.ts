import { queryOptions } from '@tanstack/react-query'
import { teamsApi } from '#shared/api/teams.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { pageSizeMax } from '#shared/pagination.ts'
import { call } from '#web/lib/api.ts'
import { listQuery } from './list-query.ts'

export const teamList = listQuery('teams', ({ page, pagesize, keyword }) =>
  call(teamsApi.list, { page, pagesize, keyword }),
)

/** All teams, for administrators. */
export const allTeamsList = listQuery(
  'teams',
  ({ page, pagesize, keyword }) => call(teamsApi.list, { page, pagesize, keyword, all: 'true' }),
  'all',
)

/** The own teams, for menus. */
export const ownTeamsQuery = queryOptions({
  queryKey: ['teams', 'own'],
  queryFn: async () => (await call(teamsApi.list, { pagesize: pageSizeMax })).list,
})

export const teamQuery = (id: number) =>
  queryOptions({ queryKey: ['teams', id], queryFn: () => call(teamsApi.get, { id }) })

export const teamInvitesQuery = (id: number) =>
  queryOptions({
    queryKey: ['teams', id, 'invites'],
    queryFn: async () => (await call(teamsApi.invites, { id, pagesize: pageSizeMax })).list,
  })

export const teamTokensQuery = (id: number) =>
  queryOptions({
    queryKey: ['teams', id, 'tokens'],
    queryFn: async () => (await call(tokensApi.list, { team_id: id, pagesize: pageSizeMax })).list,
  })
