import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { z } from 'zod'
import { channelsApi, type TestProgress } from '#shared/api/channels.ts'
import { pageSizeMax } from '#shared/pagination.ts'
import { call } from '#web/lib/api.ts'
import { reporting } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { channelTestProgress } from '#web/state/queries/channel-queries.ts'

type Progress = z.output<typeof TestProgress>

const namesMax = 10

/** Which channels failed their last test, the newest first. */
async function failedNames(): Promise<string[]> {
  const { list } = await reporting(call(channelsApi.list, { pagesize: pageSizeMax }))
  const names = list.filter(({ test_fault }) => test_fault !== '').map(({ name }) => name)
  return names.length > namesMax ? [...names.slice(0, namesMax), '…'] : names
}

/** The test over many channels: starts it, follows it, and reports when it is over. */
export function useTestRun(onFinished: () => unknown) {
  const { t } = useTranslation()
  const progress = useQuery(channelTestProgress)
  const { data, refetch } = progress
  const running = data?.running ?? false
  const report = async ({ total, failed }: Progress) => {
    const words = t('channels.testsDone', { count: total, failed })
    if (failed === 0) toast.success(words)
    else toast.success(t('channels.testsFailed', { words, names: (await failedNames()).join(', ') }))
    void onFinished()
  }
  const ran = useRef(false)
  useEffect(() => {
    if (ran.current && !running && data) void report(data)
    ran.current = running
  })
  return {
    progress: running ? data : undefined,
    start: async (scope: 'all' | 'disabled') => {
      await reporting(call(channelsApi.testMany, { scope }))
      toast.success(t('channels.testsStarted'))
      const first = await refetch()
      // Over already: with the same figures as the last run there would be no change to follow.
      if (first.isSuccess && !first.data.running) await report(first.data)
    },
  }
}
