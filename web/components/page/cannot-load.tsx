import { Button } from '@mantine/core'
import { useRunning } from '#web/hooks/use-running.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { EmptyState } from './empty-state.tsx'

/** Stands where contents would: that they could not be had is not that there are none. */
export function CannotLoad({ onRetry }: { onRetry: () => unknown }) {
  const { t } = useTranslation()
  const [running, run] = useRunning()
  return (
    <EmptyState title={t('forms.cannotLoad')}>
      <Button loading={running} onClick={() => void run(onRetry)}>
        {t('common.tryAgain')}
      </Button>
    </EmptyState>
  )
}
