import { queryOptions } from '@tanstack/react-query'
import { accountApi } from '#shared/api/account.ts'
import { call } from '#web/lib/api.ts'

/** The own account. */
export const selfQuery = queryOptions({ queryKey: ['self'], queryFn: () => call(accountApi.self) })

/** For the form: what is edited is read anew each time. */
export const profileQuery = queryOptions({
  queryKey: ['self', 'profile'],
  queryFn: () => call(accountApi.self),
  gcTime: 0,
})
