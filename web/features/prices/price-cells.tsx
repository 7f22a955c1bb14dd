import { IconChevronRight } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import type { PriceRow } from '#shared/api/prices.ts'
import { formatQuota } from '#shared/quota.ts'
import { formatUsd } from '#shared/usd.ts'
import { Dot } from '#web/components/data/state-dot.tsx'
import fieldStyles from '#web/components/form/usd-input.module.css'
import { useTranslation } from '#web/lib/i18n.ts'
import { formatShare } from '#web/lib/usd.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { marginAt } from './effect.ts'
import { piecesText } from './price-words.ts'
import styles from './prices.module.css'
import { fieldsOf, type PriceDraft, type PriceField } from './use-price-draft.ts'

const fieldLabels = { input_usd: 'inputOf', cache_read_usd: 'cachedOf', output_usd: 'outputOf' } as const

/** Whether a row has room for its prices; others open beside the list. */
export const isInline = ({ unit, pictures }: PriceRow): boolean =>
  unit === 'request' || (unit === 'token' && pictures.length === 0)

/** Enter goes down the column; from its end it saves like in any form. */
function goDown(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== 'Enter') return
  const field = event.currentTarget.dataset.field
  const column = [...document.querySelectorAll<HTMLInputElement>(`main input[data-field="${field}"]`)]
  const next = column[column.indexOf(event.currentTarget) + 1]
  if (!next) return
  event.preventDefault()
  next.focus()
  next.select()
}

export function PriceCell({ row, field, draft }: { row: PriceRow; field: PriceField; draft: PriceDraft }) {
  const { t } = useTranslation()
  if (!fieldsOf(row).includes(field)) return formatUsd(row[field])
  return (
    <input
      className={fieldStyles.input}
      inputMode="decimal"
      aria-label={t(`prices.${fieldLabels[field]}`, { model: row.model })}
      aria-invalid={draft.isWrong(row, field) || undefined}
      data-field={field}
      data-edited={draft.isEdited(row, field) || undefined}
      value={draft.textOf(row, field)}
      placeholder={row.source === 'none' ? '0.00' : '–'}
      onChange={(event) => draft.change(row, field, event.currentTarget.value)}
      onKeyDown={goDown}
    />
  )
}

const outputOf = ({ output_usd }: { output_usd: number | null }): string =>
  output_usd === null ? '' : formatUsd(output_usd)

/** Opens the prices of a model that has more of them than a row has room for. */
export function PiecesCell({ row, open }: { row: PriceRow; open: (model: string) => void }) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      data-opens=""
      className={styles.pieces}
      aria-label={t('prices.edit', { model: row.model })}
      onClick={() => open(row.model)}
    >
      <span className={styles.now}>
        {t('prices.unitThen', { unit: t(`prices.by.${row.pictures.length > 0 ? 'picture' : row.unit}`) })}
      </span>
      {piecesText(t, row)}
      <IconChevronRight size={14} stroke={1.6} aria-hidden />
    </button>
  )
}

/** Where the price comes from, and below it what else there is to know. */
export function SourceCell({ row, draft }: { row: PriceRow; draft: PriceDraft }) {
  const { t } = useTranslation()
  const edited = draft.isEdited(row)
  const listed =
    row.list &&
    [t('prices.listed', { input: formatUsd(row.list.input_usd) }), outputOf(row.list)]
      .filter(Boolean)
      .join(t('common.comma'))
  const below = edited
    ? t('prices.unsaved')
    : row.unit === 'request'
      ? t('prices.by.request')
      : row.source === 'own'
        ? listed
        : ''
  return (
    <span className={styles.two}>
      <span className={row.source === 'none' ? styles.state : 'dimmed'}>
        {row.source === 'none' && !edited && <Dot look={{ color: 'orange', dot: 'half' }} />}
        {t(`prices.sources.${edited ? 'own' : row.source}`)}
      </span>
      {below && <span className={styles.below}>{below}</span>}
    </span>
  )
}

/** The margin, and what it would be at the price as typed. */
export function MarginCell({ row, draft }: { row: PriceRow; draft: PriceDraft }) {
  const then = draft.chargedFor(row)
  const isUnknown = row.margin === null && (row.traffic?.quota ?? 0) > 0
  const margin = then === null || isUnknown ? row.margin : marginAt(then, row.traffic?.cost ?? 0)
  const value = (
    <b className={then === null ? styles.plain : 'name'} data-loss={(margin ?? 0) < 0 || undefined}>
      {formatShare(margin)}
    </b>
  )
  if (then === null || formatShare(margin) === formatShare(row.margin)) return value
  return (
    <>
      <span className={styles.now}>{formatShare(row.margin)} → </span>
      {value}
    </>
  )
}

export function RevenueCell({ row, draft }: { row: PriceRow; draft: PriceDraft }) {
  const display = useQuotaDisplay()
  if (!row.traffic) return <span className="dimmed">–</span>
  const then = draft.chargedFor(row)
  const change = then === null ? 0 : Math.round(then - row.traffic.quota)
  return (
    <span className={styles.two}>
      {formatQuota(row.traffic.quota, display)}
      {change !== 0 && <span className={styles.below}>{signed(change, (quota) => formatQuota(quota, display))}</span>}
    </span>
  )
}

export const signed = (change: number, spell: (quota: number) => string): string =>
  `${change < 0 ? '−' : '+'}${spell(Math.abs(change))}`
