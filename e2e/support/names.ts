import { channelsApi } from '#shared/api/channels.ts'
import { historyApi } from '#shared/api/history.ts'
import { optionsApi } from '#shared/api/options.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { teamsApi } from '#shared/api/teams.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { type UsageBy, usageApi } from '#shared/api/usage.ts'
import { usersApi } from '#shared/api/users.ts'
import type { Page } from '#shared/pagination.ts'
import type { ApiClient } from './api-client.ts'

const pagesize = 100

/** Every row of a list. */
async function all<Row>(read: (place: { page: number; pagesize: number }) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const { list, total } = await read({ page, pagesize })
    rows.push(...list)
    if (list.length === 0 || rows.length >= total) return rows
  }
}

const counted: readonly UsageBy[] = ['model', 'token', 'user', 'channel', 'group', 'team']

/** Names that people and tests gave to things; the longest first. They are in no language. */
export async function namesInUse(root: ApiClient): Promise<string[]> {
  const names: string[] = []
  const take = (...more: readonly string[]) => names.push(...more.flatMap((name) => [name, ...name.split(',')]))
  for (const { name, models, group, tags } of await all((place) => root.call(channelsApi.list, place)))
    take(name, models, group, tags)
  for (const { name } of await all((place) => root.call(tokensApi.list, place))) take(name)
  for (const { name } of await all((place) => root.call(redemptionsApi.list, place))) take(name)
  for (const { name } of await all((place) => root.call(teamsApi.list, { ...place, all: 'true' }))) take(name)
  for (const { username, display_name, group } of await all((place) => root.call(usersApi.list, place)))
    take(username, display_name, group)
  for (const { kind, name, actor } of await all((place) => root.call(historyApi.list, place)))
    take(actor, ...(kind === 'option' ? [] : [name]))
  for (const by of counted)
    for (const { label } of await all((place) => root.call(usageApi.table, { ...place, scope: 'all', by }))) take(label)
  const options = await root.call(optionsApi.list, {})
  take(...Object.keys(JSON.parse(options.find(({ key }) => key === 'GroupRatio')?.value || '{}')))
  return [...new Set(names.map((name) => name.trim()))]
    .filter((name) => /[A-Za-z]{2}/.test(name))
    .sort((a, b) => b.length - a.length)
}
