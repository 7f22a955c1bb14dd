import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { EmptyState } from '#web/components/empty-state.tsx'

/** What is left of a page that threw. */
export function Crash() {
  const { t } = useTranslation()
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  return (
    <EmptyState title={t('shell.crashed')} hint={t('shell.crashedHint')} page>
      <Button onClick={() => window.location.reload()}>{t('shell.reload')}</Button>
    </EmptyState>
  )
}
