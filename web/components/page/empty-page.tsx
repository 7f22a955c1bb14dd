import { Button } from '@mantine/core'
import { useTranslation } from '#web/lib/i18n.ts'
import { EmptyState } from './empty-state.tsx'

/** A page past the last row, while others have rows. */
export function EmptyPage({ onFirst }: { onFirst: () => void }) {
  const { t } = useTranslation()
  return (
    <EmptyState title={t('table.emptyPage')}>
      <Button onClick={onFirst}>{t('table.firstPage')}</Button>
    </EmptyState>
  )
}
