import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { z } from 'zod'
import { type Channel, channelsApi, type TestProgress } from '#shared/api/channels.ts'
import { pageSizeMax } from '#shared/pagination.ts'
import { call } from '#web/lib/api.ts'
import { reporting } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { channelTestProgress } from '#web/state/queries/channel-queries.ts'
import type { FailedTest } from './test-all.ts'

type Progress = z.output<typeof TestProgress>

/** The channels that failed in the last run: so many, tested last. */
async function lastFailed(count: number): Promise<FailedTest[]> {
  const failed: Channel[] = []
  for (let page = 1; ; page += 1) {
    const { list } = await reporting(call(channelsApi.list, { page, pagesize: pageSizeMax }))
    failed.push(...list.filter(({ test_fault }) => test_fault !== ''))
    if (list.length < pageSizeMax) break
  }
  return failed
    .sort((one, other) => other.test_time - one.test_time)
    .slice(0, count)
    .map(({ id, name, test_fault }) => ({ id, name, reason: test_fault }))
}

/** The test over many channels: starts it, follows it, and reports when it is over. */
export function useTestRun(onFinished: () => unknown, onFailed: (failed: readonly FailedTest[]) => void) {
  const { t } = useTranslation()
  const progress = useQuery(channelTestProgress)
  const { data, refetch } = progress
  const running = data?.running ?? false
  const report = async ({ total, failed }: Progress) => {
    const words = t('channels.testsDone', { count: total, failed })
    if (failed === 0) toast.success(words)
    else {
      toast.warning(words)
      onFailed(await lastFailed(failed))
    }
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
      onFailed([])
      await reporting(call(channelsApi.testMany, { scope }))
      toast.success(t('channels.testsStarted'))
      const first = await refetch()
      // Over already: with the same figures as the last run there would be no change to follow.
      if (first.isSuccess && !first.data.running) await report(first.data)
    },
  }
}
