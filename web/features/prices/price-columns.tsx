import type { PriceRow } from '#shared/api/prices.ts'
import { formatUsd } from '#shared/usd.ts'
import type { Column, Joined } from '#web/components/table/column.ts'
import { RowActions } from '#web/components/table/row-actions.tsx'
import type { TFunction } from '#web/lib/i18n.ts'
import { formatShare, outputUsd } from '#web/lib/usd.ts'
import { isInline, MarginCell, PiecesCell, PriceCell, RevenueCell, SourceCell } from './price-cells.tsx'
import { costText, refusedText } from './price-words.ts'
import styles from './prices.module.css'
import type { PriceDraft } from './use-price-draft.ts'

interface Ways {
  takeListPrice: (row: PriceRow) => void
  /** Where there is no room for fields a row opens a panel with them. */
  open: (model: string) => void
  language: string
}

const priceIds = ['input', 'cached', 'output']
/** A row without a price has no action either. */
const refusedIds = ['cost', 'margin', 'revenue', 'actions']

/** Rows that have something to say in the place of numbers. */
export const joinedCells =
  (t: TFunction, language: string, open: Ways['open']) =>
  (row: PriceRow): Joined | null => {
    if (row.source === 'none') {
      const text = refusedText(t, language, row)
      const cell = (
        <span className={styles.refused} title={text}>
          {text}
        </span>
      )
      return { columns: refusedIds, cell }
    }
    return isInline(row) ? null : { columns: priceIds, cell: <PiecesCell row={row} open={open} /> }
  }

export function priceColumns(
  t: TFunction,
  draft: PriceDraft,
  { takeListPrice, open, language }: Ways,
): Column<PriceRow>[] {
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
          data-opens=""
          className={styles.opener}
          aria-label={t('prices.edit', { model: row.model })}
          onClick={() => open(row.model)}
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
      band: t('prices.priceBand'),
      cell: (row) => <PriceCell row={row} field="input_usd" draft={draft} />,
      sortBy: ({ input_usd }) => input_usd ?? -1,
      align: 'end',
      width: 92,
      phone: 'state',
      phoneCell: (row) =>
        isInline(row) ? `${formatUsd(row.input_usd)} / ${outputUsd(row)}` : formatUsd(row.input_usd),
    },
    {
      id: 'cached',
      header: t('prices.cached'),
      band: t('prices.priceBand'),
      cell: (row) => <PriceCell row={row} field="cache_read_usd" draft={draft} />,
      align: 'end',
      width: 92,
      phone: 'hidden',
      drop: 3,
    },
    {
      id: 'output',
      header: t('prices.output'),
      band: t('prices.priceBand'),
      cell: (row) => <PriceCell row={row} field="output_usd" draft={draft} />,
      sortBy: ({ output_usd }) => output_usd ?? -1,
      align: 'end',
      width: 92,
      phone: 'hidden',
    },
    {
      id: 'cost',
      header: t('prices.inAndOut'),
      band: t('prices.costBand'),
      cell: (row) => <span className="dimmed">{costText(t, row)}</span>,
      sortBy: ({ cost_usd }) => cost_usd?.min ?? -1,
      title: ({ channels }) => t('prices.costTitle', { count: channels }),
      align: 'end',
      width: 136,
      phone: 'hidden',
      drop: 1,
    },
    {
      id: 'margin',
      header: t('prices.margin'),
      band: t('prices.days'),
      cell: (row) => <MarginCell row={row} draft={draft} />,
      sortBy: ({ margin }) => margin ?? -1000,
      align: 'end',
      width: 116,
      phone: 'meta',
      phoneCell: (row) =>
        row.source === 'none'
          ? refusedText(t, language, row)
          : row.margin !== null && t('prices.marginIs', { share: formatShare(row.margin) }),
      drop: 2,
    },
    {
      id: 'revenue',
      header: t('prices.revenue'),
      band: t('prices.days'),
      cell: (row) => <RevenueCell row={row} draft={draft} />,
      sortBy: ({ traffic }) => traffic?.quota ?? -1,
      align: 'end',
      width: 100,
      phone: 'meta',
      phoneCell: (row) => row.source !== 'none' && <RevenueCell row={row} draft={draft} />,
      drop: 4,
    },
    {
      id: 'actions',
      header: t('table.actions'),
      cell: (row) =>
        (row.source === 'own' || (row.list && draft.isEdited(row))) && (
          <RowActions name={row.model} actions={[{ label: t('prices.useList'), run: () => takeListPrice(row) }]} />
        ),
      align: 'end',
      width: 84,
      phone: 'actions',
    },
  ]
}
