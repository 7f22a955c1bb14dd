import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { UsageBy, UsageRow } from '#shared/api/usage.ts'
import { compactCount } from '#shared/quota.ts'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { usageTable } from '#web/state/queries/usage-queries.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { money, percent } from './numbers.ts'
import styles from './overview.module.css'
import { fieldOf, type OverviewState } from './use-overview.ts'

type Kind = Exclude<UsageBy, 'none' | 'channel'>

interface Props {
  state: OverviewState
  scope: string
  by: Kind
  /** Administrators see the margin, others how much came from the cache. */
  admin: boolean
  /** The series' colours, where the table explains the chart. */
  colored: boolean
}

const rowsShown = 7

/** What was spent by a kind of thing; the line under a row is as long as its part of the largest. */
export function Breakdown({ state, scope, by, admin, colored }: Props) {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const pagesize = isWhole ? 100 : rowsShown
  const table = useQuery(usageTable({ scope, ...state.args, by, pagesize }))
  const rows = table.data?.list ?? []
  const total = table.data?.total ?? 0
  const largest = Math.max(1, ...rows.map(({ quota }) => quota))
  return (
    <section className={styles.section} aria-label={t(`overview.sections.${by}`)}>
      <div className={styles.sectionHead}>
        <h2>{t(`overview.sections.${by}`)}</h2>
        {total > rowsShown && (
          <button type="button" className={styles.link} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('overview.fewer') : t('overview.all', { count: formatCount(total) })}
          </button>
        )}
      </div>
      {table.isLoadingError ? (
        <CannotLoad onRetry={table.refetch} />
      ) : (
        <table className={styles.table} aria-busy={table.isPending}>
          <thead>
            <tr>
              <th scope="col">{t(`overview.names.${by}`)}</th>
              <th scope="col" data-align="end">
                {t(admin ? 'overview.measures.quota' : 'overview.measures.spent')}
              </th>
              <th scope="col" data-align="end">
                {t('overview.requests')}
              </th>
              <th scope="col" data-align="end">
                {t('overview.tokens')}
              </th>
              <th scope="col" data-align="end">
                {t(admin ? 'overview.margin' : 'overview.cached')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <Row
                key={row.key}
                {...{ state, by, admin, row }}
                share={row.quota / largest}
                color={colored && index < rowsShown ? `var(--sy-series-${index + 1})` : 'var(--sy-edge)'}
              />
            ))}
            {rows.length === 0 && !table.isPending && (
              <tr>
                <td colSpan={5} className="dimmed">
                  {t('overview.empty')}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </section>
  )
}

interface RowProps {
  state: OverviewState
  by: Kind
  admin: boolean
  row: UsageRow
  share: number
  color: string
}

function Row({ state, by, admin, row, share, color }: RowProps) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const field = fieldOf[by]
  const name = row.label || t(by === 'team' ? 'overview.noTeam' : 'overview.unnamed')
  const margin = row.margin == null ? t('common.none') : percent(row.margin)
  return (
    <tr style={{ background: `linear-gradient(${color}, ${color}) left bottom / ${share * 100}% 3px no-repeat` }}>
      <th scope="row" className={by === 'model' ? 'mono' : undefined} title={name}>
        {field && row.label ? (
          <button
            type="button"
            className={styles.pick}
            onClick={(event) => state.toggle({ field, value: row.label, leaveOut: event.altKey })}
          >
            {name}
          </button>
        ) : (
          name
        )}
      </th>
      <td data-align="end">{money(row.quota, display)}</td>
      <td data-align="end">{formatCount(row.requests)}</td>
      <td data-align="end">{compactCount(row.prompt_tokens + row.completion_tokens)}</td>
      <td data-align="end" data-loss={(admin && (row.margin ?? 0) < 0) || undefined}>
        {admin ? margin : percent(row.cached_share, 0)}
      </td>
    </tr>
  )
}
