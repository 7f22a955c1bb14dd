import { Button } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/components/empty-state.tsx'

/** React catches what a page throws in classes only. */
export class CrashBoundary extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    return this.state.crashed ? <Crash /> : this.props.children
  }
}

/** What is left of a page that threw. */
function Crash() {
  const { t } = useTranslation()
  return (
    <EmptyState title={t('shell.crashed')} hint={t('shell.crashedHint')} page>
      <Button onClick={() => window.location.reload()}>{t('shell.reload')}</Button>
    </EmptyState>
  )
}
