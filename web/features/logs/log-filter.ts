import { LogFilter } from '#shared/api/logs.ts'
import { formatTime } from '#web/lib/format.ts'
import { parseTime } from '#web/lib/input/parse-time.ts'
import { endOf } from '#web/state/queries/log-queries.ts'

/** What the rows are chosen by; `end_timestamp` 0 stands for the default, one hour from now. */
export type Filter = LogFilter

const names = Object.keys(LogFilter.shape) as Array<keyof Filter>
export const noFilter: Filter = LogFilter.parse({})

/** A field of the address that makes no sense counts as not given. */
export function filterOf(params: URLSearchParams): Filter {
  const given = names.map((name) => [name, LogFilter.shape[name].safeParse(params.get(name) ?? undefined).data])
  return { ...noFilter, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) }
}

export const inAddress = (filter: Filter): Array<[name: string, value: string]> =>
  names.map((name) => [name, filter[name] === noFilter[name] ? '' : String(filter[name])])

export const isSameFilter = (one: Filter, other: Filter): boolean => names.every((name) => one[name] === other[name])

/** How many filters are set. */
export const countSet = (filter: Filter): number =>
  inAddress(filter).filter(([name, value]) => value !== '' && name !== 'not').length

/** Filters that are shown as chips; the time comes last. */
export const chipFields = [
  'type',
  'model_name',
  'token_name',
  'username',
  'channel',
  'group',
  'outcome',
  'slow',
  'team_id',
  'start_timestamp',
  'end_timestamp',
] as const satisfies ReadonlyArray<keyof Filter>
export type ChipField = (typeof chipFields)[number]

const listOf = (not: string): string[] => not.split(',').filter((name) => name !== '')

export const isNegated = (filter: Filter, field: string): boolean => listOf(filter.not).includes(field)

/** The filter with one more set, negated or not. A value that makes no sense changes nothing. */
export function withChip(filter: Filter, field: ChipField, value: string, leaveOut: boolean): Filter {
  const read = LogFilter.shape[field].safeParse(value)
  if (!read.success) return filter
  const others = listOf(filter.not).filter((name) => name !== field)
  return { ...filter, [field]: read.data, not: (leaveOut ? [...others, field] : others).join(',') }
}

export const withoutChip = (filter: Filter, field: ChipField): Filter => ({
  ...withChip(filter, field, String(noFilter[field]), false),
})

/** What stands in the fields. */
export interface FilterDraft {
  token_name: string
  model_name: string
  start: string
  end: string
  channel: string
  username: string
  type: number
}

export const draftOf = (filter: Filter): FilterDraft => ({
  token_name: filter.token_name,
  model_name: filter.model_name,
  start: formatTime(filter.start_timestamp),
  end: formatTime(endOf(filter)),
  channel: filter.channel === 0 ? '' : String(filter.channel),
  username: filter.username,
  type: filter.type,
})

/** Fields that can hold something they cannot mean. */
export type FieldName = 'start' | 'end' | 'channel'

const channelId = /^\d{0,15}$/

const timeOf = (text: string, untouched: string, fallback: number): number | null => {
  if (text.trim() === '') return 0
  return text === untouched ? fallback : parseTime(text)
}

/** The filter that the fields say; the names of those that make no sense. A time left as it was drawn keeps its meaning. */
export function readDraft(
  draft: FilterDraft,
  drawn: FilterDraft,
  filter: Filter,
): { next: Filter; wrong: FieldName[] } {
  const start = timeOf(draft.start, drawn.start, filter.start_timestamp)
  const end = timeOf(draft.end, drawn.end, filter.end_timestamp)
  const channel = draft.channel.trim()
  const wrong: FieldName[] = [
    ...(start === null ? ['start' as const] : []),
    ...(end === null ? ['end' as const] : []),
    ...(channelId.test(channel) ? [] : ['channel' as const]),
  ]
  const next: Filter = {
    ...filter,
    type: draft.type,
    token_name: draft.token_name.trim(),
    model_name: draft.model_name.trim(),
    start_timestamp: Math.max(0, start ?? 0),
    end_timestamp: Math.max(0, end ?? 0),
    username: draft.username.trim(),
    channel: Number(channel),
  }
  return { next, wrong }
}
