import type { UsageRow } from '#shared/api/usage.ts'
import type { Chip } from '#web/features/overview/use-overview.ts'

export interface ChannelLine {
  readonly key: string
  readonly name: string
  /** Null when it answered nothing in the period. */
  readonly used: UsageRow | null
}

interface Given {
  /** A page of usage by channel; undefined while it is awaited. */
  readonly usage: { readonly list: readonly UsageRow[]; readonly total: number } | undefined
  readonly channels: Iterable<{ readonly id: number; readonly name: string }>
  readonly chips: readonly Chip[]
}

/** The channels that answered, and below them those that did not, as far as the filter lets them in. */
export function channelLines({ usage, channels, chips }: Given): ChannelLine[] {
  if (!usage) return []
  const { list, total } = usage
  const used = list.map((row) => ({ key: row.key, name: row.label || `#${row.key}`, used: row }))
  // Who stands on a later page has answered.
  if (total > list.length) return used
  const picked = chips.filter(({ field }) => field === 'channel')
  const isIn = (key: string) =>
    picked.every(({ value, leaveOut }) => !leaveOut || value !== key) &&
    (picked.every(({ leaveOut }) => leaveOut) || picked.some(({ value, leaveOut }) => !leaveOut && value === key))
  const seen = new Set(used.map(({ key }) => key))
  const quiet = [...channels].map(({ id, name }) => ({ key: String(id), name, used: null }))
  return [...used, ...quiet.filter(({ key }) => !seen.has(key) && isIn(key))]
}
