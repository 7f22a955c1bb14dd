import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import { type Filter, inAddress } from './log-filter.ts'
import styles from './logs.module.css'

interface Props {
  filter: Filter
  live: boolean
  /** Rows a second. */
  pace: number
  onLive: (on: boolean) => void
}

/** Following the log as it is written, and taking it away as a file. */
export function LogTools({ filter, live, pace, onLive }: Props) {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const address = (format: string) => {
    const query = new URLSearchParams(inAddress(filter).filter(([, value]) => value !== ''))
    query.set('format', format)
    return `/api/log/${isAdmin ? '' : 'self/'}export?${query}`
  }
  const save = (format: string) => () => {
    const link = document.createElement('a')
    link.href = address(format)
    link.download = ''
    link.click()
  }
  return (
    <>
      <Button
        aria-pressed={live}
        onClick={() => onLive(!live)}
        leftSection={live && <span className={styles.liveMark} aria-hidden="true" />}
      >
        {t('logs.live')}
        {live && pace > 0 && <span className={styles.pace}>{t('logs.livePace', { count: pace })}</span>}
      </Button>
      <ActionMenu
        target={
          <Button rightSection={<IconChevronDown size={16} stroke={1.6} aria-hidden />}>{t('logs.export')}</Button>
        }
        entries={[
          { label: t('logs.exportCsv'), run: save('csv') },
          { label: t('logs.exportJsonl'), run: save('jsonl') },
        ]}
      />
    </>
  )
}
