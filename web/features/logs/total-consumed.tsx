import { ActionIcon, Loader } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { quotaPair } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { consumedQuery } from '#web/state/queries/log-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { useQuotaDisplay } from '#web/state/status.tsx'
import type { Filter } from './log-filter.ts'
import styles from './logs.module.css'

/** What the filtered rows have cost, once asked for. Other filters ask anew. */
export const TotalConsumed = ({ filter }: { filter: Filter }) => <Total key={JSON.stringify(filter)} filter={filter} />

function Total({ filter }: { filter: Filter }) {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const display = useQuotaDisplay()
  const [wanted, setWanted] = useState(false)
  const { data, isFetching, refetch } = useQuery({ ...consumedQuery(isAdmin, filter), enabled: wanted })
  const pair = data && quotaPair(data.quota, display, t('table.quotaUnit'))
  return (
    <div className={styles.total} aria-live="polite">
      <span className="dimmed">{t('logs.consumed')}</span>
      {!wanted && (
        <button type="button" className={styles.view} onClick={() => setWanted(true)}>
          {t('logs.view')}
        </button>
      )}
      {wanted && pair && (
        <>
          <strong className={styles.sum}>{pair.main}</strong>
          <span className="dimmed">{pair.beside}</span>
        </>
      )}
      {wanted && (
        <ActionIcon
          aria-label={t('logs.refreshTotal')}
          // It stands where the button was that asked for the total, and disabled it could not take its focus.
          autoFocus
          onClick={() => void refetch({ cancelRefetch: false })}
        >
          {isFetching ? <Loader size={14} color="gray" /> : <IconRefresh size={16} stroke={1.6} />}
        </ActionIcon>
      )}
    </div>
  )
}
