import { type HistoryEntry, historyKinds, secretShown } from '#shared/api/history.ts'
import type { QuotaDisplay } from '#shared/quota.ts'
import { ApiError } from '#web/lib/api.ts'
import { formatTime } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { refusalText } from '#web/lib/messages.ts'
import { spell, spellField } from './field-values.ts'

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

/** The name of what was changed, or how many there were of its kind. Rows of the log have none, but an age. */
export function nameOf(t: TFunction, { name, target, count, kind }: HistoryEntry): string {
  if (count > 1) return t('history.several', { count, things: t(`history.plurals.${kind}`) })
  if (kind === 'log') return `${fieldName(t, 'older_than').toLowerCase()} ${formatTime(Number(target))}`
  return name || target
}

/** "Changed channel", without the name: that stands in bold beside it. */
export const verbOf = (t: TFunction, entry: HistoryEntry): string => {
  const act = t(`history.acts.${actOf(entry)}`)
  return entry.count > 1 ? act : t('history.did', { act, kind: t(`history.kinds.${entry.kind}`) })
}

const shortMax = 40

/** Why an entry cannot be undone: the thing and its fields as they are called here, the time as it is on the reader's clock. */
export function whyNot(t: TFunction, { why_not, why_not_code, why_not_params: given }: HistoryEntry): string {
  const { thing = '', fields = '', time = '' } = given
  const [kind = '', ...name] = String(thing).split(' ')
  const known = historyKinds.find((one) => one === kind)
  const at = Date.parse(`${String(time).replace(' ', 'T')}Z`)
  const params = {
    ...given,
    thing: known ? [t(`history.kinds.${known}`), ...name].join(' ') : thing,
    fields: String(fields)
      .split(', ')
      .map((field) => fieldName(t, field).toLowerCase())
      .join(t('common.comma')),
    time: Number.isNaN(at) ? time : formatTime(at / 1000),
  }
  // English has its words from the server, filled in already.
  const message = why_not.replace(String(fields), params.fields).replace(String(time), String(params.time))
  return refusalText(new ApiError(message, 200, why_not_code, params))
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
  value !== secretShown &&
  (value === null || typeof value !== 'object') &&
  spell(value).length <= shortMax &&
  !spell(value).includes('\n')

/** "priority 100 → 90, models": what an edit changed, as far as one line holds it. */
export function summaryOf(t: TFunction, display: QuotaDisplay, entry: HistoryEntry): string {
  const { before, after, kind } = entry
  const words = (field: string, value: unknown) => spellField(t, display, kind, { field, value }) || t('history.empty')
  const hasBothSides = kind === 'price' || (before !== null && after !== null)
  if (entry.count > 1 || !hasBothSides) return ''
  return fieldsOf(entry)
    .filter((sides) => spell(sides.before) !== '' || spell(sides.after) !== '')
    .map(({ field, ...sides }) =>
      isShort(sides.before) && isShort(sides.after)
        ? `${fieldName(t, field).toLowerCase()} ${words(field, sides.before)} → ${words(field, sides.after)}`
        : fieldName(t, field).toLowerCase(),
    )
    .join(t('common.comma'))
}
