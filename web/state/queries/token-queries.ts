import { queryOptions } from '@tanstack/react-query'
import { tokenOrders, tokensApi } from '#shared/api/tokens.ts'
import { call } from '#web/lib/api.ts'
import { listQuery } from './list-query.ts'

const orderOf = (text: string) => tokenOrders.find((order) => order === text) ?? ''

export const tokenList = listQuery('tokens', ({ keyword, order, ...page }) => {
  const args = { ...page, order: orderOf(order) }
  return keyword ? call(tokensApi.search, { ...args, keyword }) : call(tokensApi.list, args)
})

/** For a form: what is edited is read anew each time. */
export const tokenQuery = (id: number) =>
  queryOptions({ queryKey: ['tokens', id], queryFn: () => call(tokensApi.get, { id }), gcTime: 0 })
