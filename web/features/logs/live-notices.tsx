import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './logs.module.css'
import type { Live } from './use-live.ts'

interface Props {
  live: Live
  paused: boolean
  onGoOn: () => void
}

/** What one has to know while following: rows that wait, and a lost connection. */
export function LiveNotices({ live, paused, onGoOn }: Props) {
  const { t } = useTranslation()
  const count = live.waiting.length
  return (
    <div role="status">
      {live.againIn > 0 && (
        <p className={styles.notice}>
          <IconAlertTriangle size={16} stroke={1.6} aria-hidden />
          <span>{t('logs.liveLost', { count: live.againIn })}</span>
          <button type="button" className={styles.view} onClick={live.again}>
            {t('logs.liveNow')}
          </button>
        </p>
      )}
      {live.skipped > 0 && <p className={styles.paused}>{t('logs.liveSkipped', { count: live.skipped })}</p>}
      {paused && (
        <p className={styles.paused}>
          <Button onClick={onGoOn}>{t('logs.livePaused')}</Button>
          {count > 0 && (
            <button type="button" className={styles.view} onClick={live.show}>
              {t('logs.liveWaiting', { count })}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
