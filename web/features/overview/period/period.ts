import type { UsageStep } from '#shared/api/usage.ts'

export const periodNames = ['24h', '7d', '30d', '90d'] as const
export type PeriodName = (typeof periodNames)[number] | 'custom'

export interface Period {
  readonly name: PeriodName
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly step: UsageStep
  /** The same weekdays some weeks before. */
  readonly compareFrom: number
}

const day = 86_400
const quarter = 900
const shifts: Record<Exclude<PeriodName, 'custom'>, number> = { '24h': 7, '7d': 7, '30d': 35, '90d': 91 }

const upTo = (at: number, step: number) => Math.ceil(at / step) * step

const localDay = (now: number, back: number): number => {
  const date = new Date(now * 1000)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - back).getTime() / 1000
}

function localQuarterDay(now: number): number {
  const date = new Date(now * 1000)
  const hour = Math.floor(date.getHours() / 6) * 6
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - 7, hour + 6).getTime() / 1000
}

export const monthStart = (now: number): number => {
  const date = new Date(now * 1000)
  return new Date(date.getFullYear(), date.getMonth(), 1).getTime() / 1000
}

const lengths: readonly (readonly [UsageStep, number])[] = [
  ['half_hour', 1800],
  ['hour', 3600],
  ['quarter_day', day / 4],
  ['day', day],
  ['week', 7 * day],
]
const bucketsMax = 100

const finestStep = (length: number): UsageStep =>
  lengths.find(([, seconds]) => length / seconds <= bucketsMax)?.[0] ?? 'month'

export function periodOf(name: PeriodName, now: number, custom: { from: number; to: number }): Period {
  if (name === 'custom') {
    const { from, to } = custom
    const weeks = Math.ceil((to - from) / (7 * day))
    return { name, from, to, step: finestStep(to - from), compareFrom: from - weeks * 7 * day }
  }
  const to = upTo(now, name === '24h' ? 1800 : quarter)
  const starts = { '24h': to - day, '7d': localQuarterDay(now), '30d': localDay(now, 29), '90d': localDay(now, 89) }
  const steps: Record<typeof name, UsageStep> = { '24h': 'half_hour', '7d': 'quarter_day', '30d': 'day', '90d': 'day' }
  const from = starts[name]
  return { name, from, to, step: steps[name], compareFrom: from - shifts[name] * day }
}

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
