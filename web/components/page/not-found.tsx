import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { EmptyState } from './empty-state.tsx'

export function NotFound() {
  const { t } = useTranslation()
  return (
    <EmptyState title={t('shell.notFound')} page>
      <Anchor component={Link} to="/">
        {t('shell.goHome')}
      </Anchor>
    </EmptyState>
  )
}
