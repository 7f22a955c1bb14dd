import { channelsApi } from '#shared/api/channels.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { teamsApi } from '#shared/api/teams.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { usersApi } from '#shared/api/users.ts'
import type { ApiClient } from './api-client.ts'
import { makeChannel, makeToken, makeUser, uniqueName } from './make.ts'

export interface Screen {
  path: string
  /** The first heading. */
  title: string
}

export const publicScreens: readonly Screen[] = [
  { path: '/', title: 'Welcome to Switchyard' },
  { path: '/about', title: 'About' },
  { path: '/login', title: 'Log in' },
  { path: '/register', title: 'Register' },
  { path: '/reset', title: 'Reset password' },
  { path: '/user/reset?email=someone%40example.com&token=any', title: 'Set a new password' },
]

const memberScreens: readonly Screen[] = [
  { path: '/playground', title: 'Playground' },
  { path: '/team', title: 'Teams' },
  { path: '/statement', title: 'Statement' },
  { path: '/token', title: 'Tokens' },
  { path: '/token/add', title: 'Add token' },
  { path: '/topup', title: 'Top up' },
  { path: '/user/edit', title: 'Edit profile' },
  { path: '/log', title: 'Log' },
  { path: '/setting', title: 'Settings' },
]

const adminScreens: readonly Screen[] = [
  { path: '/channel', title: 'Channels' },
  { path: '/channel/add', title: 'Add channel' },
  { path: '/routing?model=gpt-4o', title: 'Routing' },
  { path: '/routing/simulate', title: 'Routing' },
  { path: '/price', title: 'Prices' },
  { path: '/price/sync', title: 'Sync prices' },
  { path: '/redemption', title: 'Redemption codes' },
  { path: '/redemption/add', title: 'Add redemption code' },
  { path: '/user', title: 'Users' },
  { path: '/user/add', title: 'Add user' },
  { path: '/history', title: 'History' },
  { path: '/setting?tab=operations', title: 'Settings' },
  { path: '/setting?tab=system', title: 'Settings' },
  { path: '/setting?tab=other', title: 'Settings' },
]

export const guardedScreens: readonly Screen[] = [...memberScreens, ...adminScreens]

/** Every screen behind the login, with something of each kind to show and to edit. */
export async function makeScreens(root: ApiClient): Promise<Screen[]> {
  const { name: channel } = await makeChannel(root, { group: 'default,vip', model_mapping: '{"gpt-4":"gpt-4o"}' })
  // Its name is the heading of its screen.
  const { name: token } = await makeToken(root, { name: uniqueName('令牌token') })
  const { username } = await makeUser(root)
  const [code = ''] = await root.call(redemptionsApi.create, { name: 'credit', quota: 100_000, count: 2 })
  const ids = await Promise.all([
    root.call(channelsApi.search, { keyword: channel }),
    root.call(tokensApi.search, { keyword: token }),
    root.call(usersApi.search, { keyword: username }),
    root.call(redemptionsApi.list, { page: 1, pagesize: 100 }),
  ])
  const [channels, tokens, users, codes] = ids
  const team = await root.call(teamsApi.create, { name: uniqueName('团队team') })
  await root.call(teamsApi.invite, { id: team.id, role: 'member' })
  return [
    { path: '/', title: 'Overview' },
    ...guardedScreens,
    { path: '/model', title: 'Models' },
    { path: '/model?open=gpt-4o-mini', title: 'Models' },
    { path: `/team/${team.id}`, title: team.name },
    { path: `/channel/edit/${channels.list[0]?.id}`, title: 'Edit channel' },
    { path: `/token/edit/${tokens.list[0]?.id}`, title: token },
    { path: `/user/edit/${users.list[0]?.id}`, title: 'Edit user' },
    { path: `/redemption/edit/${codes.list.find(({ key }) => key === code)?.id}`, title: 'Edit redemption code' },
  ]
}
