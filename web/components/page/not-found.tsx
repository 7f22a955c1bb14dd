import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
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
