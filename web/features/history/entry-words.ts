import { type HistoryEntry, type HistoryKind, historyKinds, secretShown } from '#shared/api/history.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import { formatQuota, type QuotaDisplay } from '#shared/quota.ts'
import { ApiError } from '#web/lib/api.ts'
import { formatTime } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { channelTypeWords, refusalText } from '#web/lib/messages.ts'

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
  if (kind === 'channel' && field === 'type') return typeName(value)
  if (field !== 'status') return spell(value)
  const states: Record<string, Record<number, string>> = t('states', { returnObjects: true })
  return (states[kind]?.[value] ?? spell(value)).toLowerCase()
}

function typeName(type: number): string {
  const known = channelTypeOf(type)
  return known ? channelTypeWords(known).label : spell(type)
}

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
      .join(', '),
    time: Number.isNaN(at) ? time : formatTime(at / 1000),
  }
  // English has its words from the server, filled in already.
  const message = why_not.replace(String(fields), params.fields).replace(String(time), String(params.time))
  return refusalText(new ApiError(message, 200, why_not_code, params))
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
