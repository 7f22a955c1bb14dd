import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { channelsApi } from '#shared/api/channels.ts'
import { call } from '#web/lib/api.ts'
import { telling } from '#web/lib/failures.ts'
import { toast } from '#web/lib/toast.tsx'

const pollEvery = 1000

/** The test over many channels: starts it, follows it, and tells when it is over. */
export function useTestRun(onFinished: () => unknown) {
  const { t } = useTranslation()
  const progress = useQuery({
    queryKey: ['channel-test-progress'],
    queryFn: () => call(channelsApi.testProgress),
    refetchInterval: ({ state }) => (state.data?.running ? pollEvery : false),
    gcTime: 0,
  })
  const { data, refetch } = progress
  const running = data?.running ?? false
  const ran = useRef(false)
  useEffect(() => {
    if (ran.current && !running && data) {
      toast.success(t('channels.testsDone', { count: data.total, failed: data.failed }))
      void onFinished()
    }
    ran.current = running
  })
  return {
    progress: running ? data : undefined,
    start: async (scope: 'all' | 'disabled') => {
      await telling(call(channelsApi.testMany, { scope }))
      toast.success(t('channels.testsStarted'))
      ran.current = true
      await refetch()
    },
  }
}
