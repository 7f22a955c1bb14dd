import type { KeyboardEvent } from 'react'
import type { PriceRow } from '#shared/api/prices.ts'
import { formatQuota } from '#shared/quota.ts'
import { Dot } from '#web/components/data/state-dot.tsx'
import fieldStyles from '#web/components/form/usd-input.module.css'
import { useTranslation } from '#web/lib/i18n.ts'
import { formatShare, formatUsd } from '#web/lib/usd.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { marginAt } from './effect.ts'
import styles from './prices.module.css'
import type { PriceDraft, PriceField } from './use-price-draft.ts'

const fieldLabels = { input_usd: 'inputOf', cache_read_usd: 'cachedOf', output_usd: 'outputOf' } as const

/** Token prices and prices per request are edited here; the others are only shown. */
export const isEditable = ({ unit }: PriceRow, field: PriceField): boolean =>
  unit === 'token' || (unit === 'request' && field === 'input_usd')

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
  if (!isEditable(row, field)) return formatUsd(row[field])
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

/** Where the price comes from, and below it what else there is to know. */
export function SourceCell({ row, draft }: { row: PriceRow; draft: PriceDraft }) {
  const { t } = useTranslation()
  const edited = draft.isEdited(row)
  const listed =
    row.list && `${t('prices.listed', { input: formatUsd(row.list.input_usd) })}, ${formatUsd(row.list.output_usd)}`
  const below = edited
    ? t('prices.unsaved')
    : row.source === 'none'
      ? t('prices.refused')
      : row.unit !== 'token'
        ? t(`prices.by.${row.unit}`)
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
  const margin = then === null ? row.margin : marginAt(then, row.traffic?.cost ?? 0)
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
