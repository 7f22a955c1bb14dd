import { queryOptions } from '@tanstack/react-query'
import { statusApi } from '#shared/api/status.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { store } from '#web/lib/storage.ts'

export const noticeQuery = queryOptions({
  queryKey: ['notice'],
  queryFn: () => call(statusApi.notice),
  meta: ownReport,
})

export const homeQuery = queryOptions({ queryKey: ['home'], queryFn: () => call(statusApi.home), meta: ownReport })

export const aboutQuery = queryOptions({ queryKey: ['about'], queryFn: () => call(statusApi.about) })

/** Names of all groups, for administrators. */
export const groupsQuery = queryOptions({ queryKey: ['groups'], queryFn: () => call(statusApi.groups) })

/** Channel type → names of its models; kept in the browser for the next visit. */
export const typeModelsQuery = queryOptions({
  queryKey: ['channel-models'],
  queryFn: async () => {
    const models = await call(statusApi.models)
    store('channel_models', models)
    return models
  },
  staleTime: Number.POSITIVE_INFINITY,
})

const attentionEvery = 60_000

/** How much waits for an administrator, beside the pages it waits on. */
export const attentionQuery = queryOptions({
  queryKey: ['attention'],
  queryFn: () => call(statusApi.attention),
  refetchInterval: attentionEvery,
  staleTime: attentionEvery / 2,
  meta: ownReport,
})

/** Followed while it is looked at: the first request may come from anywhere. */
export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: () => call(statusApi.firstSteps),
  refetchInterval: ({ state }) => (state.data?.request_answered ? false : 5000),
  meta: ownReport,
})
