import { Button } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

interface Props {
  children: ReactNode
  /** What stands in for contents that threw; without it a page that can be loaded again. */
  fallback?: ReactNode
}

/** React catches what its children throw in classes only. */
export class CrashBoundary extends Component<Props, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    const { children, fallback = <Crash /> } = this.props
    return this.state.crashed ? fallback : children
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
