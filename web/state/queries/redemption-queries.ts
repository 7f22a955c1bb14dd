import { queryOptions } from '@tanstack/react-query'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { call } from '#web/lib/api.ts'
import { listQuery } from './list-query.ts'

export const redemptionList = listQuery('redemptions', ({ page, pagesize, keyword }) =>
  keyword ? call(redemptionsApi.search, { page, pagesize, keyword }) : call(redemptionsApi.list, { page, pagesize }),
)

/** For a form: what is edited is read anew each time. */
export const redemptionQuery = (id: number) =>
  queryOptions({ queryKey: ['redemptions', id], queryFn: () => call(redemptionsApi.get, { id }), gcTime: 0 })
