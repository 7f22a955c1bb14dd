import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { logsApi } from '#shared/api/logs.ts'
import { TimeField } from '#web/components/form/time-field.tsx'
import { ConfirmButton } from '#web/components/overlay/confirm-button.tsx'
import { ApiError, call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import { formatTime, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { parseTime } from '#web/lib/input/parse-time.ts'
import { refusalText } from '#web/lib/messages.ts'
import { toast } from '#web/lib/toast.tsx'
import { logsKey } from '#web/state/queries/log-queries.ts'
import styles from './settings.module.css'

const thirtyDays = 2_592_000

const messageOf = (error: Error): string => (error instanceof ApiError ? refusalText(error) : error.message)

/** Clears the log up to a time; thirty days ago unless changed. */
export function ClearLogs() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [text, setText] = useState(() => formatTime(nowSeconds() - thirtyDays))
  const at = parseTime(text)
  const clear = useMutation({
    mutationFn: (target_timestamp: number) => call(logsApi.clear, { target_timestamp }),
    meta: ownReport,
    onSuccess: (count) => {
      toast.success(t('settings.clear.done', { count }))
      queries.removeQueries({ queryKey: logsKey })
    },
    onError: (error) => toast.error(t('settings.clear.failed', { message: messageOf(error) })),
  })
  const question = {
    title: t('settings.clear.question', { time: at === null ? text : formatTime(at) }),
    consequence: t('settings.clear.consequence'),
    verb: t('settings.clear.verb'),
  }
  return (
    <div className={styles.besideField}>
      <TimeField
        label={t('settings.clear.before')}
        value={text}
        onChange={setText}
        error={at === null && t('logs.badTime')}
      />
      <ConfirmButton
        className={styles.lowered}
        variant="outline"
        color="red"
        question={question}
        disabled={at === null}
        onConfirm={() => at !== null && clear.mutateAsync(at)}
      >
        {t('settings.clear.button')}
      </ConfirmButton>
    </div>
  )
}
