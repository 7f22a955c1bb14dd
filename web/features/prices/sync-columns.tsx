import type { SyncPrice, SyncRow } from '#shared/api/prices.ts'
import { formatQuota } from '#shared/quota.ts'
import { formatUsd } from '#shared/usd.ts'
import type { Column } from '#web/components/table/column.ts'
import { TickBox } from '#web/components/table/tick-box.tsx'
import type { QuotaDisplay } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { signed } from './price-cells.tsx'
import styles from './prices.module.css'
import { becomesFree, effectOf, kindOf } from './sync-row.ts'

type Field = 'input_usd' | 'cache_read_usd' | 'output_usd'

const amountOf = (price: SyncPrice | null, field: Field): number | null => {
  if (!price) return null
  return field === 'input_usd' ? (price.input_usd ?? price.per_request_usd) : price[field]
}

const percentOf = (from: number | null, to: number | null): string => {
  if (!from || to === null || from === to) return ''
  const percent = Math.round(((to - from) / from) * 100)
  return `${percent < 0 ? '↓' : '↑'} ${Math.abs(percent)} %`
}

/** A price of tokens and one of requests have no proportion. */
const isAlike = ({ old, new: next }: SyncRow): boolean =>
  (old?.per_request_usd ?? null) === null ? next?.per_request_usd === null : next?.per_request_usd !== null

/** Before → after; struck out when it goes, alone when it stays or is new. */
function Change({ row, field, withPercent = false }: { row: SyncRow; field: Field; withPercent?: boolean }) {
  const [from, to] = [amountOf(row.old, field), amountOf(row.new, field)]
  if (row.new === null) return from === null ? '–' : <s className={styles.now}>{formatUsd(from)}</s>
  if (from === to) return <span className={styles.now}>{formatUsd(from)}</span>
  return (
    <>
      {row.old !== null && <span className={styles.now}>{formatUsd(from)} → </span>}
      <b className={styles.then}>{formatUsd(to)}</b>
      {withPercent && isAlike(row) && <span className={styles.percent}>{percentOf(from, to)}</span>}
    </>
  )
}

interface Choosing {
  chosen: ReadonlySet<string>
  toggle: (model: string) => void
  /** The box that ticks all rows shown. */
  all: Column<SyncRow>['head']
  display: QuotaDisplay
}

export const syncColumns = (t: TFunction, { chosen, toggle, all, display }: Choosing): Column<SyncRow>[] => {
  const effectText = (row: SyncRow): string => {
    const effect = effectOf(row)
    return effect === null || Math.round(effect) === 0
      ? '–'
      : signed(Math.round(effect), (quota) => formatQuota(quota, display))
  }
  return [
    {
      id: 'chosen',
      header: t('table.bulk.select'),
      head: all,
      cell: ({ model }) => (
        <TickBox label={t('prices.choose', { model })} checked={chosen.has(model)} onToggle={() => toggle(model)} />
      ),
      width: 36,
      phone: 'actions',
    },
    {
      id: 'model',
      header: t('prices.model'),
      cell: ({ model }) => <span className={styles.model}>{model}</span>,
      title: ({ model }) => model,
      phone: 'title',
    },
    {
      id: 'change',
      header: t('prices.change'),
      cell: (row) => (
        <span className={styles.two}>
          {t(`prices.kinds.${kindOf(row)}`)}
          {becomesFree(row) && <span className={styles.below}>{t('prices.becomesFree')}</span>}
          {row.own && row.change === 'changed' && <span className={styles.below}>{t('prices.ownStays')}</span>}
        </span>
      ),
      width: 116,
      phone: 'badge',
    },
    {
      id: 'input',
      header: t('prices.input'),
      cell: (row) => <Change row={row} field="input_usd" withPercent />,
      align: 'end',
      width: 196,
      phone: 'meta',
      phoneCell: (row) => <Change row={row} field="input_usd" />,
    },
    {
      id: 'cached',
      header: t('prices.cached'),
      cell: (row) => <Change row={row} field="cache_read_usd" />,
      align: 'end',
      width: 126,
      phone: 'hidden',
      drop: 1,
    },
    {
      id: 'output',
      header: t('prices.output'),
      cell: (row) => <Change row={row} field="output_usd" withPercent />,
      align: 'end',
      width: 196,
      phone: 'meta',
      phoneCell: (row) => <Change row={row} field="output_usd" />,
      drop: 3,
    },
    {
      id: 'traffic',
      header: t('prices.days'),
      cell: ({ traffic, used }) =>
        traffic ? (
          formatQuota(traffic.quota, display)
        ) : (
          <span className="dimmed">{t(used ? 'prices.notAsked' : 'prices.notUsed')}</span>
        ),
      align: 'end',
      width: 100,
      phone: 'hidden',
      drop: 2,
    },
    {
      id: 'effect',
      header: t('prices.effectHead'),
      cell: effectText,
      align: 'end',
      width: 92,
      phone: 'state',
    },
  ]
}
