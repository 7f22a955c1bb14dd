import { queryOptions } from '@tanstack/react-query'
import { tokenOrders, tokensApi } from '#shared/api/tokens.ts'
import { call } from '#web/lib/api.ts'
import { type ListArgs, listQuery } from './list-query.ts'

const orderOf = (text: string) => tokenOrders.find((order) => order === text) ?? ''

const loadTokens = ({ keyword, order, ...rest }: ListArgs & { team_id?: number }) => {
  const args = { ...rest, order: orderOf(order) }
  return keyword ? call(tokensApi.search, { ...args, keyword }) : call(tokensApi.list, args)
}

export const tokenList = listQuery('tokens', loadTokens)

/** Those that spend from the wallet of a team. */
export const teamTokenList = (team_id: number) =>
  listQuery('tokens', (args) => loadTokens({ ...args, team_id }), `team ${team_id}`)

/** For a form: what is edited is read anew each time. */
export const tokenQuery = (id: number) =>
  queryOptions({ queryKey: ['tokens', id], queryFn: () => call(tokensApi.get, { id }), gcTime: 0 })
