import { Button } from '@mantine/core'
import { useRunning } from '#web/hooks/use-running.ts'
import { failureText } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { EmptyState } from './empty-state.tsx'

interface Props {
  onRetry: () => unknown
  /** Why, where that is known. */
  error?: unknown
}

/** Stands where contents would: that they could not be had is not that there are none. */
export function CannotLoad({ onRetry, error }: Props) {
  const { t } = useTranslation()
  const [running, run] = useRunning()
  return (
    <EmptyState title={t('forms.cannotLoad')} hint={error === undefined ? undefined : failureText(error)}>
      <Button loading={running} onClick={() => void run(onRetry)}>
        {t('common.tryAgain')}
      </Button>
    </EmptyState>
  )
}
