import type { SyncPrice, SyncRow } from '#shared/api/prices.ts'
import { chargedAt } from './effect.ts'

export const syncKinds = ['dearer', 'cheaper', 'new', 'gone'] as const
export type SyncKind = (typeof syncKinds)[number]

const leading = (price: SyncPrice | null): number => price?.input_usd ?? price?.per_request_usd ?? 0

/** What a row means for whoever pays. Where the input price stays, the output price decides. */
export function kindOf({ change, old, charged: next }: SyncRow): SyncKind {
  if (change === 'new' || change === 'gone') return change
  const by = leading(next) - leading(old) || (next?.output_usd ?? 0) - (old?.output_usd ?? 0)
  return by < 0 ? 'cheaper' : 'dearer'
}

const amounts = ['input_usd', 'output_usd', 'cache_read_usd', 'cache_write_usd', 'per_request_usd'] as const

/** A price the list asks for, so small that it would be charged as nothing. */
export const becomesFree = ({ new: listed, charged }: SyncRow): boolean =>
  listed !== null && charged !== null && amounts.some((name) => (listed[name] ?? 0) > 0 && charged[name] === 0)

/** What the last 30 days would have brought more or less; null for a model nobody asked for. */
export function effectOf({ old, charged: next, traffic }: SyncRow): number | null {
  if (!traffic || !old || !next || old.per_request_usd !== null || next.per_request_usd !== null) return null
  return chargedAt(old, next, traffic) - traffic.quota
}
