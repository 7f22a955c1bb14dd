import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { channelsApi } from '#shared/api/channels.ts'
import styles from '#web/features/channels/channels.module.css'
import { ApiError, call } from '#web/lib/api.ts'
import { ownReport, reportFailure } from '#web/lib/failures.ts'
import { formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { refusalText } from '#web/lib/messages.ts'
import { type ChannelFormState, draftOf } from './channel-values.ts'

/** Asks the provider with what stands in the form, before it is saved; says how that went. */
export function DraftTest({ form, id }: { form: ChannelFormState; id: number | undefined }) {
  const { t } = useTranslation()
  const testing = useMutation({
    mutationFn: () => call(channelsApi.testDraft, { ...draftOf(form.values), ...(id === undefined ? {} : { id }) }),
    meta: ownReport,
    onError: (error) => {
      if (!(error instanceof ApiError && error.status === 200)) reportFailure(error)
    },
  })
  const { data, error } = testing
  return (
    <span className={styles.draftTest}>
      <Button onClick={() => testing.mutate()} loading={testing.isPending}>
        {t('channels.form.test')}
      </Button>
      {data && (
        <span>{t('channels.form.testPassed', { model: data.model, time: formatSeconds(data.time * 1000) })}</span>
      )}
      {error instanceof ApiError && <span className={styles.bad}>{refusalText(error)}</span>}
    </span>
  )
}
