import { Button } from '@mantine/core'
import { Component, type ReactNode, useState } from 'react'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { useRunning } from '#web/hooks/use-running.ts'
import { isLostCode } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'

interface Props {
  children: ReactNode
  /** What stands in for contents that threw; without it a page that can be loaded again. */
  fallback?: ReactNode
}

/** React catches what its children throw in classes only. */
export class CrashBoundary extends Component<Props, { crashed: boolean; lost: boolean }> {
  override state = { crashed: false, lost: false }

  static getDerivedStateFromError(error: unknown) {
    return { crashed: true, lost: isLostCode(error) }
  }

  override render() {
    const { crashed, lost } = this.state
    const { children, fallback = lost ? <NotLoaded /> : <Crash /> } = this.props
    return crashed ? fallback : children
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

/** A page whose code could not be had. Loading anew without a connection would put the browser's own page in place of the console. */
function NotLoaded() {
  const { t } = useTranslation()
  const [running, run] = useRunning()
  const [hint, setHint] = useState(t('shell.notLoadedHint'))
  const again = async () => {
    const answer = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
    if (answer?.ok) window.location.reload()
    // In words on the page: without a connection there may be no code for a toast either.
    else setHint(t('shell.noConnection'))
  }
  return (
    <EmptyState title={t('shell.notLoaded')} hint={hint} page>
      <Button loading={running} onClick={() => void run(again)}>
        {t('common.tryAgain')}
      </Button>
    </EmptyState>
  )
}
