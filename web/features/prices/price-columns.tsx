import type { PriceRow } from '#shared/api/prices.ts'
import type { Column } from '#web/components/table/column.ts'
import { RowActions } from '#web/components/table/row-actions.tsx'
import type { TFunction } from '#web/lib/i18n.ts'
import { formatShare, formatUsd, outputUsd } from '#web/lib/usd.ts'
import { MarginCell, PriceCell, RevenueCell, SourceCell } from './price-cells.tsx'
import styles from './prices.module.css'
import type { PriceDraft } from './use-price-draft.ts'

interface Ways {
  useList: (model: string) => void
  /** Where there is no room for fields a row opens a sheet with them. */
  open: (row: PriceRow) => void
}

const costText = ({ cost_usd: cost, list, unit }: PriceRow): string => {
  if (!cost) return '–'
  if (cost.min !== cost.max) return `${formatUsd(cost.min)}–${formatUsd(cost.max)}`
  // A channel takes the same share of both list prices.
  const output = list?.input_usd && list.output_usd !== null ? (cost.min * list.output_usd) / list.input_usd : null
  return unit === 'token'
    ? `${formatUsd(cost.min)} / ${outputUsd({ input_usd: cost.min, output_usd: output })}`
    : formatUsd(cost.min)
}

export function priceColumns(t: TFunction, draft: PriceDraft, { useList, open }: Ways): Column<PriceRow>[] {
  return [
    {
      id: 'model',
      header: t('prices.model'),
      cell: ({ model }) => <span className={styles.model}>{model}</span>,
      sortBy: ({ model }) => model,
      title: ({ model }) => model,
      phone: 'title',
      phoneCell: (row) => (
        <button
          type="button"
          className={styles.opener}
          aria-label={t('prices.edit', { model: row.model })}
          onClick={() => open(row)}
        >
          {row.model}
        </button>
      ),
    },
    {
      id: 'source',
      header: t('prices.source'),
      cell: (row) => <SourceCell row={row} draft={draft} />,
      sortBy: ({ source }) => source,
      width: 128,
      phone: 'badge',
      phoneCell: ({ source }) => t(`prices.sources.${source}`),
    },
    {
      id: 'input',
      header: t('prices.input'),
      cell: (row) => <PriceCell row={row} field="input_usd" draft={draft} />,
      sortBy: ({ input_usd }) => input_usd ?? -1,
      align: 'end',
      width: 92,
      phone: 'state',
      phoneCell: ({ input_usd, output_usd }) => `${formatUsd(input_usd)} / ${outputUsd({ input_usd, output_usd })}`,
    },
    {
      id: 'cached',
      header: t('prices.cached'),
      cell: (row) => <PriceCell row={row} field="cache_read_usd" draft={draft} />,
      align: 'end',
      width: 92,
      phone: 'hidden',
      drop: 3,
    },
    {
      id: 'output',
      header: t('prices.output'),
      cell: (row) => <PriceCell row={row} field="output_usd" draft={draft} />,
      sortBy: ({ output_usd }) => output_usd ?? -1,
      align: 'end',
      width: 92,
      phone: 'hidden',
    },
    {
      id: 'cost',
      header: t('prices.cost'),
      cell: (row) => <span className="dimmed">{costText(row)}</span>,
      sortBy: ({ cost_usd }) => cost_usd?.min ?? -1,
      title: ({ channels }) => t('prices.costTitle', { count: channels }),
      align: 'end',
      width: 124,
      phone: 'hidden',
      drop: 1,
    },
    {
      id: 'margin',
      header: t('prices.margin'),
      cell: (row) => <MarginCell row={row} draft={draft} />,
      sortBy: ({ margin }) => margin ?? -1000,
      title: () => t('prices.days'),
      align: 'end',
      width: 116,
      phone: 'meta',
      phoneCell: ({ margin }) => (margin === null ? '' : t('prices.marginIs', { share: formatShare(margin) })),
      drop: 2,
    },
    {
      id: 'revenue',
      header: t('prices.revenue'),
      cell: (row) => <RevenueCell row={row} draft={draft} />,
      sortBy: ({ traffic }) => traffic?.quota ?? -1,
      title: () => t('prices.days'),
      align: 'end',
      width: 108,
      phone: 'meta',
      drop: 4,
    },
    {
      id: 'actions',
      header: t('table.actions'),
      cell: ({ model, source }) =>
        source === 'own' && (
          <RowActions name={model} actions={[{ label: t('prices.useList'), run: () => useList(model) }]} />
        ),
      align: 'end',
      width: 84,
      phone: 'actions',
    },
  ]
}
