import type { PriceRow } from '#shared/api/prices.ts'
import type { Column } from '#web/components/table/column.ts'
import { RowActions } from '#web/components/table/row-actions.tsx'
import type { TFunction } from '#web/lib/i18n.ts'
import { formatShare, formatUsd } from '#web/lib/usd.ts'
import styles from './prices.module.css'
import type { PriceDraft, PriceField } from './use-price-draft.ts'

const fieldLabels = { input_usd: 'inputOf', cache_read_usd: 'cachedOf', output_usd: 'outputOf' } as const

/** Token prices and prices per request are edited here; the others are only shown. */
const isEditable = ({ unit }: PriceRow, field: PriceField): boolean =>
  unit === 'token' || (unit === 'request' && field === 'input_usd')

export function priceColumns(t: TFunction, draft: PriceDraft, useList: (model: string) => void): Column<PriceRow>[] {
  const priceCell = (field: PriceField) => (row: PriceRow) =>
    isEditable(row, field) ? (
      <input
        className={styles.price}
        inputMode="decimal"
        aria-label={t(`prices.${fieldLabels[field]}`, { model: row.model })}
        data-edited={draft.isEdited(row, field) || undefined}
        value={draft.textOf(row, field)}
        placeholder="–"
        onChange={(event) => draft.change(row, field, event.currentTarget.value)}
      />
    ) : (
      formatUsd(row[field])
    )
  return [
    {
      id: 'model',
      header: t('prices.model'),
      cell: ({ model }) => <span className="mono">{model}</span>,
      sortBy: ({ model }) => model,
      title: ({ model }) => model,
      phone: 'title',
    },
    {
      id: 'source',
      header: t('prices.source'),
      cell: (row) => (
        <>
          {t(`prices.sources.${row.source}`)}
          {row.unit !== 'token' && <span className="dimmed"> {t(`prices.by.${row.unit}`)}</span>}
          {draft.isEdited(row) && <span className="dimmed"> {t('prices.unsaved')}</span>}
        </>
      ),
      sortBy: ({ source }) => source,
      width: 150,
      phone: 'state',
    },
    {
      id: 'input',
      header: t('prices.input'),
      cell: priceCell('input_usd'),
      align: 'end',
      width: 100,
      phone: 'meta',
      phoneCell: ({ input_usd, output_usd }) => `${formatUsd(input_usd)} / ${formatUsd(output_usd)}`,
    },
    {
      id: 'cached',
      header: t('prices.cached'),
      cell: priceCell('cache_read_usd'),
      align: 'end',
      width: 100,
      phone: 'hidden',
      drop: 3,
    },
    {
      id: 'output',
      header: t('prices.output'),
      cell: priceCell('output_usd'),
      align: 'end',
      width: 100,
      phone: 'hidden',
    },
    {
      id: 'cost',
      header: t('prices.cost'),
      cell: ({ cost_usd }) => (cost_usd ? costText(cost_usd) : <span className="dimmed">–</span>),
      sortBy: ({ cost_usd }) => cost_usd?.min ?? -1,
      align: 'end',
      width: 140,
      phone: 'hidden',
      drop: 2,
    },
    {
      id: 'margin',
      header: t('prices.margin'),
      cell: ({ margin }) => <span data-loss={(margin ?? 0) < 0 || undefined}>{formatShare(margin)}</span>,
      sortBy: ({ margin }) => margin ?? -1000,
      align: 'end',
      width: 90,
      phone: 'badge',
      drop: 4,
    },
    {
      id: 'channels',
      header: t('prices.channels'),
      cell: ({ channels }) => channels,
      sortBy: ({ channels }) => channels,
      align: 'end',
      width: 90,
      phone: 'hidden',
      drop: 1,
    },
    {
      id: 'actions',
      header: t('table.actions'),
      cell: ({ model, source }) =>
        source === 'own' && (
          <RowActions name={model} actions={[{ label: t('prices.useList'), run: () => useList(model) }]} />
        ),
      align: 'end',
      width: 110,
      phone: 'actions',
    },
  ]
}

const costText = ({ min, max }: { min: number; max: number }): string =>
  min === max ? formatUsd(min) : `${formatUsd(min)}–${formatUsd(max)}`
