import { useQuery } from '@tanstack/react-query'
import { type Log, logsApi } from '#shared/api/logs.ts'
import { dollars } from '#shared/quota.ts'
import { call } from '#web/lib/api.ts'
import { formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './logs.module.css'

/** How a request went: what was held, each channel tried with its time and fault, and what is left of the charge. */
export function RequestRoute({ row }: { row: Log }) {
  const { t } = useTranslation()
  const { quotaPerUnit } = useQuotaDisplay()
  const { data } = useQuery({
    queryKey: ['logs', 'request', row.request_id],
    queryFn: () => call(logsApi.request, { request_id: row.request_id }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data || data.tries.length === 0) return null
  const whole = Math.max(1, row.duration_ms)
  let begins = 0
  const steps = data.tries.map(({ channel, duration_ms, fault }, index) => {
    const start = begins
    begins += duration_ms
    return { id: `${index} ${channel}`, channel, start, duration_ms, fault }
  })
  const answer = Math.max(0, row.duration_ms - begins)
  const bar = (start: number, length: number, color: string) => ({
    background: `linear-gradient(${color}, ${color}) ${(start / Math.max(1, whole - length)) * 100}% 0 / ${Math.max(1, (length / whole) * 100)}% 3px no-repeat, var(--sy-line)`,
  })
  const { cost } = data.row
  const money = (quota: number) => dollars(quota, quotaPerUnit, 6)
  return (
    <>
      <h2 className={styles.heading}>{t('logs.detail.route')}</h2>
      <ul className={styles.steps}>
        <li>
          <span>{t('logs.detail.reserved', { amount: money(data.reserve) })}</span>
        </li>
        {steps.map(({ id, channel, start, duration_ms, fault }) => (
          <li key={id}>
            <span>
              {channel > 0 ? `#${channel}: ` : ''}
              {fault ? `${fault.status} ${fault.message}` : t('logs.detail.firstByte')}
            </span>
            <span>{formatSeconds(duration_ms)}</span>
            <i
              aria-hidden="true"
              style={bar(start, duration_ms, fault ? 'var(--mantine-color-red-dot)' : 'var(--sy-edge)')}
            />
          </li>
        ))}
        {answer > 0 && row.outcome !== 'failed' && (
          <li>
            <span>{t('logs.detail.answer')}</span>
            <span>{formatSeconds(answer)}</span>
            <i aria-hidden="true" style={bar(begins, answer, 'var(--sy-accent)')} />
          </li>
        )}
      </ul>
      {data.candidates.length > 0 && (
        <ul className={styles.steps}>
          {data.candidates.map(({ channel_id, state, reason }, index) => (
            <li key={`${channel_id} ${state} ${index === 0 ? '' : index}`}>
              <span>{channel_id > 0 ? `#${channel_id}` : state}</span>
              <span>{reason || state}</span>
            </li>
          ))}
        </ul>
      )}
      {cost !== undefined && (
        <dl className={styles.facts}>
          <div>
            <dt>{t('logs.detail.cost')}</dt>
            <dd>{cost === null ? t('common.unknown') : money(cost)}</dd>
          </div>
          {cost !== null && (
            <div>
              <dt>{t('logs.detail.profit')}</dt>
              <dd>{money(row.quota - cost)}</dd>
            </div>
          )}
        </dl>
      )}
    </>
  )
}
