import { useQuery } from '@tanstack/react-query'
import { formatCount, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { formatShare } from '#web/lib/usd.ts'
import { usageTable } from '#web/state/queries/usage-queries.ts'
import styles from './routing.module.css'

const hour = 3600
const minute = 60

/** What really happened: which channels answered for the model. */
export function LastHour({ model }: { model: string }) {
  const { t } = useTranslation()
  const to = Math.ceil(nowSeconds() / minute) * minute
  const { data } = useQuery(
    usageTable({ scope: 'all', by: 'channel', order: 'requests', model_name: model, from: to - hour, to, pagesize: 8 }),
  )
  if (!data) return null
  const total = data.list.reduce((sum, { requests }) => sum + requests, 0)
  const most = Math.max(1, ...data.list.map(({ requests }) => requests))
  return (
    <section className={styles.lastHour}>
      <h2>{t('routing.lastHour')}</h2>
      <p className={styles.small}>{t('routing.lastHourCount', { count: total, model })}</p>
      {data.list.length > 0 && (
        <table aria-label={t('routing.lastHour')}>
          <tbody>
            {data.list.map(({ key, label, requests }) => (
              <tr
                key={key}
                style={{
                  background: `linear-gradient(var(--sy-edge), var(--sy-edge)) left bottom / ${(requests / most) * 100}% 3px no-repeat`,
                }}
              >
                <th scope="row">{label || `#${key}`}</th>
                <td>{formatCount(requests)}</td>
                <td className="dimmed">{formatShare(requests / Math.max(1, total))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
