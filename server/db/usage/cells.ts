import type { LogsTable } from '#server/db/logs/logs-table.ts'
import { attemptsOf, refusedIn } from './attempts.ts'
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
  /** Attempts on a channel that another channel's answer followed. */
  'rescued',
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
  rescued: 0,
})

/** What is left of the revenue as a share of it; null where there is none, or where nobody knows what any of it cost. */
export const marginOf = ({ quota, cost, cost_unknown }: Sums): number | null =>
  quota === 0 || (cost === 0 && cost_unknown > 0) ? null : (quota - cost) / quota

/** Attempts on a channel: each that another channel rescued failed. The rest of a request's are known by the request. */
export const attemptsIn = ({ requests, failed, rescued }: Sums) => ({
  made: requests + rescued,
  failed: failed + rescued,
})

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
  /** Of requests that several channels were asked for: the time of each attempt, for the channel it was made on. */
  readonly tries: Times
  /** The first bytes of such requests, which count the time that other channels lost. */
  readonly late: Times
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
  'route',
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
  ...noTimes(),
})

export const noTimes = (): Omit<Cell, Dimension | 'sums'> => ({
  firstByte: new Map(),
  duration: new Map(),
  tries: new Map(),
  late: new Map(),
})

type Counted = Omit<Cell, Dimension>

export function addRow({ sums, firstByte, duration, tries, late }: Counted, row: UsageLogRow, sign = 1): void {
  const refused = refusedIn(row)
  if (refused > 0) {
    sums.requests += sign * refused
    sums.failed += sign * refused
    return
  }
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
  const last = row.first_byte_ms > 0 ? attemptsOf(row).at(-1) : undefined
  if (!last) return
  countTimes(late, sizeOf(row.first_byte_ms), sign)
  countTimes(tries, sizeOf(last.ms), sign)
}

/** An attempt on a channel of a request that went on to another. */
export interface RescuedAttempt {
  readonly keys: Keys
  readonly ms: number
}

export const rescuedOf = (row: UsageLogRow): readonly RescuedAttempt[] =>
  attemptsOf(row)
    .slice(0, -1)
    .map(({ channel, ms }) => ({ keys: { ...row, channel }, ms }))

export function addRescued({ sums, tries }: Counted, { ms }: RescuedAttempt, sign = 1): void {
  sums.rescued += sign
  countTimes(tries, sizeOf(ms), sign)
}

export function addCell(into: Cell, more: Cell): void {
  addSums(into.sums, more.sums)
  for (const name of timesNames) for (const [size, requests] of more[name]) countTimes(into[name], size, requests)
}

const timesNames = ['firstByte', 'duration', 'tries', 'late'] as const

/** A cell as it stands in a table. */
export type StoredCell = Sums & { first_byte: string; duration: string; try_times: string; late_times: string }

export function addStored({ sums, firstByte, duration, tries, late }: Cell, stored: StoredCell): void {
  addSums(sums, stored)
  readTimes(stored.first_byte, firstByte)
  readTimes(stored.duration, duration)
  readTimes(stored.try_times, tries)
  readTimes(stored.late_times, late)
}
