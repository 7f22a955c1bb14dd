import { queryOptions } from '@tanstack/react-query'
import { userOrders, usersApi } from '#shared/api/users.ts'
import { call } from '#web/lib/api.ts'
import { listQuery } from './list-query.ts'

const orderOf = (text: string) => userOrders.find((order) => order === text) ?? ''

export const userList = listQuery('users', ({ keyword, order, ...page }) => {
  const args = { ...page, order: orderOf(order) }
  return keyword ? call(usersApi.search, { ...args, keyword }) : call(usersApi.list, args)
})

/** For a form: what is edited is read anew each time. */
export const userQuery = (id: number) =>
  queryOptions({ queryKey: ['users', id], queryFn: () => call(usersApi.get, { id }), gcTime: 0 })
