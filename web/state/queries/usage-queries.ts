import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { usageApi } from '#shared/api/usage.ts'
import type { ArgsOf } from '#shared/contract.ts'
import { call } from '#web/lib/api.ts'

/** Old figures stay until the new ones are there. */
const kept = { placeholderData: keepPreviousData, staleTime: 60_000 }

export const usageSummary = (args: ArgsOf<typeof usageApi.summary>) =>
  queryOptions({ queryKey: ['usage', 'summary', args], queryFn: () => call(usageApi.summary, args), ...kept })

export const usageSeries = (args: ArgsOf<typeof usageApi.series>) =>
  queryOptions({ queryKey: ['usage', 'series', args], queryFn: () => call(usageApi.series, args), ...kept })

export const usageTable = (args: ArgsOf<typeof usageApi.table>) =>
  queryOptions({ queryKey: ['usage', 'table', args], queryFn: () => call(usageApi.table, args), ...kept })

export const usageStatement = (args: ArgsOf<typeof usageApi.statement>) =>
  queryOptions({ queryKey: ['usage', 'statement', args], queryFn: () => call(usageApi.statement, args), ...kept })
