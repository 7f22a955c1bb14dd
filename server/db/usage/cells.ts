import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { countTimes, readTimes, sizeOf, type Times } from './times.ts'

/** What is added up over requests. */
export const sumNames = [
  'requests',
  'failed',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'quota',
  'cost',
  'cost_unknown',
] as const
export type SumName = (typeof sumNames)[number]
export type Sums = Record<SumName, number>

export const noSums = (): Sums => ({
  requests: 0,
  failed: 0,
  prompt_tokens: 0,
  cached_tokens: 0,
  completion_tokens: 0,
  quota: 0,
  cost: 0,
  cost_unknown: 0,
})

/** What is left of the revenue as a share of it; null where there is none, or where nobody knows what any of it cost. */
export const marginOf = ({ quota, cost, cost_unknown }: Sums): number | null =>
  quota === 0 || (cost === 0 && cost_unknown > 0) ? null : (quota - cost) / quota

export function addSums(into: Sums, more: Sums, sign = 1): void {
  for (const name of sumNames) into[name] += sign * more[name]
}

/** By what usage is kept apart. */
export const dimensions = ['user_id', 'token_id', 'token_name', 'team_id', 'group', 'model_name', 'channel'] as const
export type Dimension = (typeof dimensions)[number]
export type Keys = Pick<LogsTable, Dimension>

/** The sums of the requests with the same keys. */
export interface Cell extends Keys {
  readonly sums: Sums
  readonly firstByte: Times
  readonly duration: Times
}

/** What of a request counts in usage. */
export const usageColumns = [
  ...dimensions,
  'created_at',
  'quota',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'cost',
  'duration_ms',
  'first_byte_ms',
  'outcome',
] as const
export type UsageLogRow = Pick<LogsTable, (typeof usageColumns)[number]>

export const newCell = (keys: Keys): Cell => ({
  user_id: keys.user_id,
  token_id: keys.token_id,
  token_name: keys.token_name,
  team_id: keys.team_id,
  group: keys.group,
  model_name: keys.model_name,
  channel: keys.channel,
  sums: noSums(),
  firstByte: new Map(),
  duration: new Map(),
})

export function addRow({ sums, firstByte, duration }: Omit<Cell, Dimension>, row: UsageLogRow, sign = 1): void {
  sums.requests += sign
  if (row.outcome === 'failed') sums.failed += sign
  sums.prompt_tokens += sign * row.prompt_tokens
  sums.cached_tokens += sign * row.cached_tokens
  sums.completion_tokens += sign * row.completion_tokens
  sums.quota += sign * row.quota
  if (row.cost === null) sums.cost_unknown += sign
  else sums.cost += sign * row.cost
  if (row.first_byte_ms > 0) countTimes(firstByte, sizeOf(row.first_byte_ms), sign)
  countTimes(duration, sizeOf(row.duration_ms), sign)
}

export function addCell(into: Cell, more: Cell): void {
  addSums(into.sums, more.sums)
  for (const [size, requests] of more.firstByte) countTimes(into.firstByte, size, requests)
  for (const [size, requests] of more.duration) countTimes(into.duration, size, requests)
}

/** A cell as it stands in a table. */
export type StoredCell = Sums & { first_byte: string; duration: string }

export function addStored({ sums, firstByte, duration }: Cell, stored: StoredCell): void {
  addSums(sums, stored)
  readTimes(stored.first_byte, firstByte)
  readTimes(stored.duration, duration)
}
