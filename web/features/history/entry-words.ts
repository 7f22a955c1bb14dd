import type { HistoryEntry } from '#shared/api/history.ts'
import { secretShown } from '#shared/api/history.ts'
import type { TFunction } from '#web/lib/i18n.ts'

/** What an entry did, as one word. */
export const actOf = ({
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

export const nameOf = (t: TFunction, { name, target, count }: HistoryEntry): string =>
  count > 1 ? t('history.several', { count }) : name || target

/** "Changed channel", without the name: that stands in bold beside it. */
export const verbOf = (t: TFunction, entry: HistoryEntry): string =>
  `${t(`history.acts.${actOf(entry)}`)} ${t(`history.kinds.${entry.kind}`)}`

const shortMax = 40

export const spell = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

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
export function summaryOf(t: TFunction, entry: HistoryEntry): string {
  const { before, after } = entry
  if (entry.count > 1 || before === null || after === null) return ''
  return fieldsOf(entry)
    .map(({ field, ...sides }) =>
      isShort(sides.before) && isShort(sides.after)
        ? `${fieldName(t, field).toLowerCase()} ${spell(sides.before) || t('history.empty')} → ${spell(sides.after) || t('history.empty')}`
        : fieldName(t, field).toLowerCase(),
    )
    .join(', ')
}
