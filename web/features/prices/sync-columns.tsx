import { Checkbox } from '@mantine/core'
import type { SyncPrice, SyncRow } from '#shared/api/prices.ts'
import type { Column } from '#web/components/table/column.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { formatUsd } from '#web/lib/usd.ts'
import styles from './prices.module.css'

const spelled = (t: TFunction, price: SyncPrice | null): string => {
  if (!price) return '–'
  if (price.per_request_usd !== null) return t('prices.request', { usd: formatUsd(price.per_request_usd) })
  return `${formatUsd(price.input_usd)} / ${formatUsd(price.output_usd)}`
}

export const syncColumns = (
  t: TFunction,
  chosen: ReadonlySet<string>,
  toggle: (model: string) => void,
): Column<SyncRow>[] => [
  {
    id: 'chosen',
    header: '',
    cell: ({ model }) => (
      <Checkbox aria-label={t('prices.choose', { model })} checked={chosen.has(model)} onChange={() => toggle(model)} />
    ),
    width: 40,
    phone: 'state',
  },
  {
    id: 'model',
    header: t('prices.model'),
    cell: ({ model }) => <span className="mono">{model}</span>,
    title: ({ model }) => model,
    phone: 'title',
  },
  {
    id: 'change',
    header: t('prices.change'),
    cell: ({ change }) => t(`prices.changes.${change}`),
    width: 110,
    phone: 'badge',
  },
  {
    id: 'before',
    header: t('prices.before'),
    cell: ({ old }) => <span className={styles.now}>{spelled(t, old)}</span>,
    align: 'end',
    width: 200,
    phone: 'hidden',
    drop: 2,
  },
  {
    id: 'after',
    header: t('prices.after'),
    cell: (row) => <span className={styles.then}>{spelled(t, row.new)}</span>,
    align: 'end',
    width: 200,
    phone: 'meta',
  },
  {
    id: 'percent',
    header: t('prices.percent'),
    cell: ({ percent }) => (percent === null ? '–' : `${percent > 0 ? '+' : ''}${percent} %`),
    align: 'end',
    width: 100,
    phone: 'hidden',
    drop: 1,
  },
]
