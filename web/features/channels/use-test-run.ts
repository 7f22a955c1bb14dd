import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { z } from 'zod'
import { channelsApi, type TestProgress } from '#shared/api/channels.ts'
import { call } from '#web/lib/api.ts'
import { telling } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { channelTestProgress } from '#web/state/queries/channel-queries.ts'

type Progress = z.output<typeof TestProgress>

/** The test over many channels: starts it, follows it, and tells when it is over. */
export function useTestRun(onFinished: () => unknown) {
  const { t } = useTranslation()
  const progress = useQuery(channelTestProgress)
  const { data, refetch } = progress
  const running = data?.running ?? false
  const report = ({ total, failed }: Progress) => {
    toast.success(t('channels.testsDone', { count: total, failed }))
    void onFinished()
  }
  const ran = useRef(false)
  useEffect(() => {
    if (ran.current && !running && data) report(data)
    ran.current = running
  })
  return {
    progress: running ? data : undefined,
    start: async (scope: 'all' | 'disabled') => {
      await telling(call(channelsApi.testMany, { scope }))
      toast.success(t('channels.testsStarted'))
      const first = await refetch()
      // Over already: with the same figures as the last run there would be no change to follow.
      if (first.isSuccess && !first.data.running) report(first.data)
    },
  }
}
