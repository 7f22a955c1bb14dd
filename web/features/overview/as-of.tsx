import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { formatClock } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './overview.module.css'

const staleMs = 5 * 60_000
const lookEveryMs = 30_000

/** What the figures are of, and of when: old ones say so and can be asked for again. */
export function AsOf({ children }: { children?: ReactNode }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), lookEveryMs)
    return () => clearInterval(timer)
  }, [])
  const asked = client.getQueryCache().findAll({ queryKey: ['usage'], type: 'active' })
  const oldest = Math.min(now, ...asked.map(({ state }) => state.dataUpdatedAt || now))
  const time = formatClock(oldest / 1000)
  if (now - oldest < staleMs)
    return (
      <>
        {children}
        {t('common.comma')}
        {time}
      </>
    )
  const again = async () => {
    await client.refetchQueries({ queryKey: ['usage'], type: 'active' })
    setNow(Date.now())
  }
  return (
    <>
      {children}
      {t('common.comma')}
      {t('overview.asOf', { time })}{' '}
      <button type="button" className={styles.link} onClick={() => void again()}>
        {t('common.refresh')}
      </button>
    </>
  )
}
