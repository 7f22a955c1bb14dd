import { type HistoryEntry, type HistoryKind, secretShown } from '#shared/api/history.ts'
import { formatQuota, type QuotaDisplay } from '#shared/quota.ts'
import { formatTime } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'

/** What an entry did, as one word. */
const actOf = ({
  before,
  after,
  undoes,
  kind,
}: HistoryEntry): 'created' | 'deleted' | 'changed' | 'undid' | 'cleared' | 'applied' => {
  if (undoes !== null) return 'undid'
  if (kind === 'log') return 'cleared'
  if (kind === 'config') return 'applied'
  if (before === null) return 'created'
  return after === null ? 'deleted' : 'changed'
}

/** The name of what was changed, or how many there were of its kind. */
export const nameOf = (t: TFunction, { name, target, count, kind }: HistoryEntry): string =>
  count > 1 ? t('history.several', { count, things: t(`history.plurals.${kind}`) }) : name || target

/** "Changed channel", without the name: that stands in bold beside it. */
export const verbOf = (t: TFunction, entry: HistoryEntry): string => {
  const act = t(`history.acts.${actOf(entry)}`)
  return entry.count > 1 ? act : t('history.did', { act, kind: t(`history.kinds.${entry.kind}`) })
}

const shortMax = 40

export const spell = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

const quotaFields = new Set(['quota', 'remain_quota', 'used_quota', 'budget'])
const timeFields = new Set(['expired_time', 'expires_at', 'created_time'])

/** A value as people say it: states by their word, quota as money, times as dates. */
export function spellField(t: TFunction, display: QuotaDisplay, kind: HistoryKind, change: Sided): string {
  const { field, value } = change
  if (typeof value === 'boolean') return t(value ? 'history.yes' : 'history.no')
  if (typeof value !== 'number') return spell(value)
  if (quotaFields.has(field)) return formatQuota(value, display)
  if (timeFields.has(field)) return value > 0 ? formatTime(value) : t('history.never')
  if (field !== 'status') return spell(value)
  const states: Record<string, Record<number, string>> = t('states', { returnObjects: true })
  return (states[kind]?.[value] ?? spell(value)).toLowerCase()
}

interface Sided {
  readonly field: string
  readonly value: unknown
}

export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** What a field is called; one without a name keeps its own. */
export function fieldName(t: TFunction, field: string): string {
  const names: Record<string, string> = t('history.fieldNames', { returnObjects: true })
  return names[field] ?? field
}

/** The fields of both sides, in their order. */
export function fieldsOf({ before, after }: Pick<HistoryEntry, 'before' | 'after'>): FieldChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.map((field) => ({ field, before: before?.[field], after: after?.[field] }))
}

const isShort = (value: unknown): boolean =>
  value !== secretShown && typeof value !== 'object' && spell(value).length <= shortMax && !spell(value).includes('\n')

/** "priority 100 → 90, models": what an edit changed, as far as one line holds it. */
export function summaryOf(t: TFunction, display: QuotaDisplay, entry: HistoryEntry): string {
  const { before, after, kind } = entry
  const words = (field: string, value: unknown) => spellField(t, display, kind, { field, value }) || t('history.empty')
  if (entry.count > 1 || before === null || after === null) return ''
  return fieldsOf(entry)
    .map(({ field, ...sides }) =>
      isShort(sides.before) && isShort(sides.after)
        ? `${fieldName(t, field).toLowerCase()} ${words(field, sides.before)} → ${words(field, sides.after)}`
        : fieldName(t, field).toLowerCase(),
    )
    .join(', ')
}
