import { useSearchParams } from 'react-router'
import type { UsageBy } from '#shared/api/usage.ts'
import { type FilterItem, readFilterList, writeFilterList } from '#shared/filter-list.ts'
import { nowSeconds } from '#web/lib/format.ts'
import { browserZone, type Period, type PeriodName, periodNames, periodOf } from './period/period.ts'

export const filterFields = ['model_name', 'token_name', 'username', 'channel', 'group', 'team'] as const
export type FilterField = (typeof filterFields)[number]

export const measures = [
  'quota',
  'requests',
  'tokens',
  'failed',
  'first_byte_p50',
  'first_byte_p95',
  'cost',
  'profit',
] as const
export type Measure = (typeof measures)[number]

/** Which filter a click on a name sets. */
export const fieldOf: Partial<Record<UsageBy, FilterField>> = {
  model: 'model_name',
  token: 'token_name',
  user: 'username',
  channel: 'channel',
  group: 'group',
  team: 'team',
}

/** The filter that a thing of a kind is looked at alone with; null where there is none. */
export function pickOf(by: UsageBy, { key, label }: { key: string; label: string }): Omit<Chip, 'leaveOut'> | null {
  if (by === 'payer') {
    const [kind, id = ''] = key.split(':')
    return pickOf(kind === 'team' ? 'team' : 'user', { key: id, label })
  }
  const field = fieldOf[by]
  if (!field || (label === '' && by !== 'channel')) return null
  return { field, value: by === 'channel' || by === 'team' ? key : label }
}

export interface Chip extends FilterItem {
  readonly field: FilterField
}

export interface OverviewState {
  readonly period: Period
  readonly compare: boolean
  readonly measure: Measure
  readonly by: UsageBy
  readonly chips: readonly Chip[]
  /** What every call of the page is asked with. */
  readonly args: Readonly<Partial<Record<FilterField, string>>> & { from: number; to: number; time_zone: string }
  choosePeriod(name: PeriodName, custom?: { from: number; to: number }): void
  set(name: 'compare' | 'measure' | 'by', value: string): void
  /** Only this, or all but this; the same again takes it away. */
  toggle(chip: Chip): void
  /** Takes all filters away. */
  clear(): void
}

/** The whole state of the page, kept in the address. */
export function useOverview(isAdmin: boolean): OverviewState {
  const [params, setParams] = useSearchParams()
  const given = params.get('period') ?? (params.has('from') ? 'custom' : '30d')
  const known: readonly string[] = [...periodNames, 'custom']
  const custom = { from: Number(params.get('from')) || 0, to: Number(params.get('to')) || nowSeconds() }
  const isCustom = given === 'custom' && custom.from > 0 && custom.from < custom.to
  const name = (known.includes(given) && (given !== 'custom' || isCustom) ? given : '30d') as PeriodName
  const period = periodOf(name, nowSeconds(), custom)
  const chips = filterFields.flatMap((field) =>
    readFilterList(params.get(field) ?? '').map((item) => ({ field, ...item })),
  )
  const filters = Object.fromEntries(
    filterFields.flatMap((field) => (params.get(field) ? [[field, params.get(field)]] : [])),
  )
  const measure = measures.find((each) => each === params.get('measure')) ?? 'quota'
  const allowed: readonly UsageBy[] = isAdmin
    ? ['model', 'token', 'payer', 'user', 'team', 'channel', 'group', 'none']
    : ['model', 'token', 'group', 'none']
  const change = (values: Record<string, string>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [key, value] of Object.entries(values)) value === '' ? after.delete(key) : after.set(key, value)
        return after
      },
      { replace: true, preventScrollReset: true },
    )
  return {
    period,
    compare: params.get('compare') === '1',
    measure: isAdmin || (measure !== 'cost' && measure !== 'profit') ? measure : 'quota',
    by: allowed.find((each) => each === params.get('by')) ?? 'model',
    chips,
    args: { from: period.from, to: period.to, time_zone: browserZone(), ...filters },
    choosePeriod: (next, range) =>
      change(
        range
          ? { period: 'custom', from: String(range.from), to: String(range.to) }
          : { period: next, from: '', to: '' },
      ),
    set: (key, value) => change({ [key]: value }),
    clear: () => change(Object.fromEntries(filterFields.map((field) => [field, '']))),
    toggle({ field, value, leaveOut }) {
      const items = readFilterList(params.get(field) ?? '').filter((item) => item.leaveOut === leaveOut)
      const isThere = items.some((item) => item.value === value)
      const left = isThere ? items.filter((item) => item.value !== value) : [...items, { value, leaveOut }]
      change({ [field]: writeFilterList(left) })
    },
  }
}
