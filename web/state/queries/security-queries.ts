import { queryOptions } from '@tanstack/react-query'
import { identityApi } from '#shared/api/identity.ts'
import { sessionsApi } from '#shared/api/sessions.ts'
import { call } from '#web/lib/api.ts'

const most = { page: 1, pagesize: 100 }

export const secondFactorQuery = queryOptions({
  queryKey: ['security', 'factors'],
  queryFn: () => call(identityApi.secondFactor),
})

export const passkeysQuery = queryOptions({
  queryKey: ['security', 'passkeys'],
  queryFn: () => call(identityApi.passkeys, most),
})

export const sessionsQuery = queryOptions({
  queryKey: ['security', 'sessions'],
  queryFn: () => call(sessionsApi.list, most),
})
