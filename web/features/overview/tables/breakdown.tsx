import { IconArrowDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { UsageRow } from '#shared/api/usage.ts'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import styles from '#web/features/overview/overview.module.css'
import type { OverviewState } from '#web/features/overview/use-overview.ts'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { usageTable } from '#web/state/queries/usage-queries.ts'
import { BreakdownRow, fieldsOf, type Kind, LeftOutRow } from './breakdown-row.tsx'

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

type Order = 'quota' | 'requests' | 'prompt_tokens' | 'cached_tokens' | 'failed' | 'margin'

/** What was spent by a kind of thing; the line under a row is as long as its part of the largest. */
export function Breakdown({ state, scope, by, admin, colored }: Props) {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const [order, setOrder] = useState<Order>('quota')
  const asked = { scope, ...state.args, by, order, pagesize: isWhole ? 100 : rowsShown }
  const table = useQuery(usageTable(asked))
  const { from, to, compareFrom } = state.period
  const shifted = { ...asked, from: compareFrom, to: compareFrom + (to - from), pagesize: 100 }
  const before = useQuery({ ...usageTable(shifted), enabled: state.compare })
  const rows = table.data?.list ?? []
  const total = table.data?.total ?? 0
  const largest = Math.max(1, ...rows.map(({ quota }) => quota))
  const leftOut = state.chips.filter(({ field, leaveOut }) => leaveOut && fieldsOf[by].includes(field))
  const wasOf = ({ key }: UsageRow) => before.data?.list.find((each) => each.key === key)?.quota
  const spent = t(admin ? 'overview.measures.quota' : 'overview.measures.spent')
  const lastColumn: [Order, string] =
    by === 'token' ? ['failed', t('overview.failed')] : ['cached_tokens', t('overview.cached')]
  const columns: [Order, string][] = [
    ['requests', t('overview.requests')],
    admin ? ['margin', t('overview.margin')] : ['prompt_tokens', t('overview.tokens')],
    ...(admin ? [] : [lastColumn]),
  ]
  const head = ([name, words]: [Order, string]) => (
    <th key={name} scope="col" data-align="end" aria-sort={order === name ? 'descending' : undefined}>
      <button type="button" className={styles.sort} onClick={() => setOrder(name)}>
        {words}
        {order === name && <IconArrowDown className={styles.arrow} size={14} stroke={1.8} aria-hidden />}
      </button>
    </th>
  )
  return (
    <section className={styles.section} aria-label={t(`overview.sections.${by}`)}>
      <div className={styles.sectionHead}>
        <h2>{t(`overview.sections.${by}`)}</h2>
        {total > rowsShown && (
          <button type="button" className={styles.link} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('overview.fewer') : t(`overview.allOf.${by}`, { count: formatCount(total) })}
          </button>
        )}
      </div>
      {table.isLoadingError ? (
        <CannotLoad onRetry={table.refetch} />
      ) : (
        <table className={`${styles.table} ${styles.stacks}`} aria-busy={table.isPending}>
          <thead>
            <tr>
              <th scope="col">{t(`overview.names.${by}`)}</th>
              {head(['quota', spent])}
              {state.compare && (
                <th scope="col" data-align="end">
                  {t('overview.change')}
                </th>
              )}
              {columns.map(head)}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <BreakdownRow
                key={row.key}
                {...{ state, by, admin, row }}
                before={state.compare ? wasOf(row) : null}
                share={row.quota / largest}
                color={colored && index < rowsShown ? `var(--sy-series-${index + 1})` : 'var(--sy-edge)'}
              />
            ))}
            {leftOut.map((chip) => (
              <LeftOutRow
                key={chip.value}
                chip={chip}
                columns={columns.length + (state.compare ? 2 : 1)}
                state={state}
              />
            ))}
            {rows.length === 0 && leftOut.length === 0 && !table.isPending && (
              <tr>
                <td colSpan={6} className="dimmed">
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
