import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { formatQuota } from '#shared/quota.ts'
import { Dot } from '#web/components/data/state-dot.tsx'
import { streamChat } from '#web/lib/chat/chat-stream.ts'
import { ownReport } from '#web/lib/failures.ts'
import { formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { requestCost } from '#web/state/request-cost.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './connect.module.css'

/** One short request through the real door with this key; says how long it took and what it cost. */
export function TestRequest({ keyText, model }: { keyText: string; model: string }) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const test = useMutation({
    mutationFn: async () => {
      const ask = { model, messages: [{ role: 'user' as const, content: 'Say OK.' }], max_tokens: 16, stream: false }
      let [duration, requestId] = [0, '']
      for await (const progress of streamChat(keyText, ask, AbortSignal.timeout(60_000))) {
        duration = progress.duration ?? 0
        requestId = progress.requestId ?? ''
      }
      return { duration, cost: requestId === '' ? undefined : await requestCost(requestId) }
    },
    meta: ownReport,
  })
  const { data } = test
  return (
    <div className={styles.test}>
      <Button onClick={() => test.mutate()} loading={test.isPending}>
        {t('connect.send')}
      </Button>
      <span role="status" className={styles.result}>
        {data && (
          <>
            <Dot look={{ color: 'green', dot: 'full' }} />
            {t('connect.answered', { time: formatSeconds(data.duration) })}
            {data.cost !== undefined && t('common.comma') + formatQuota(data.cost, display)}
          </>
        )}
        {test.isError && <span className={styles.failed}>{test.error.message}</span>}
      </span>
    </div>
  )
}
