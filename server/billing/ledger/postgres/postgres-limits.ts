import type { Changes, LedgerTask } from '#server/billing/ledger/decide.ts'
import { noNode } from '#server/billing/ledger/lasting-holds.ts'
import type { LimitUse } from '#server/billing/ledger/ledger.ts'
import { type LimitBook, type Limited, type LimitRequest, limitKey } from '#server/billing/limits/limit-check.ts'
import {
  correctTokens,
  emptyWindow,
  expire,
  type LimitWindow,
  readWindow,
  writeWindow,
} from '#server/billing/limits/limit-window.ts'
import type { RunQuery } from './run-query.ts'
import { clockMs, type Part } from './statement.ts'

/** Limits as all nodes share them: windows in rows, running requests by their holds, the time by the database's clock. */
export interface SharedLimits extends LimitBook {
  readonly windows: ReadonlyMap<string, LimitWindow>
  readonly clock: number
  /** When the clock was read, in milliseconds of this process. */
  readonly readAt: number
  /** The windows as they were written. */
  readonly written: Map<string, string>
}

/** What an operation is counted by. */
export const limitsOf = (operation: LedgerTask): LimitRequest | null => {
  if (operation.type === 'settle') return null
  return operation.type === 'reserve' ? operation.request.limits : operation.entry.limits
}

/** What it corrects. */
export const correctedBy = (operation: LedgerTask): readonly { readonly key: string }[] => {
  if (operation.type === 'settle') return operation.settlement.corrections
  return operation.type === 'enter' && operation.entry.before ? [operation.entry.before] : []
}

/** A request counts from this long after the decision, so that no observer sees it earlier than the limit counts it. */
export const lateMs = 50

/** Used where no limits apply. */
export const noLimits: SharedLimits = {
  windows: new Map(),
  clock: 0,
  readAt: 0,
  written: new Map(),
  now: () => 0,
  windowOf: emptyWindow,
  runningOf: () => 0,
  began: () => {},
}

export async function loadLimits(ask: RunQuery, operations: readonly LedgerTask[]): Promise<SharedLimits> {
  const keys = new Set<string>()
  const limited: Limited[] = []
  for (const operation of operations) {
    for (const one of limitsOf(operation)?.of ?? []) {
      keys.add(limitKey(one))
      if (one.parallel > 0) limited.push(one)
    }
    for (const { key } of correctedBy(operation)) keys.add(key)
  }
  // Counted behind the lock of the window, or two nodes would count the same.
  const [{ windows, clock }, running] = await Promise.all([
    lockWindows(ask, [...keys].sort()),
    countRunning(ask, limited),
  ])
  return {
    windows,
    clock,
    readAt: performance.now(),
    written: new Map(),
    now: () => clock,
    moment: () => clock + lateMs,
    windowOf: (one) => windows.get(limitKey(one)) ?? emptyWindow(),
    runningOf: (one) => running.get(limitKey(one)) ?? 0,
    began: (one) => running.set(limitKey(one), (running.get(limitKey(one)) ?? 0) + 1),
  }
}

async function lockWindows(
  ask: RunQuery,
  keys: readonly string[],
): Promise<{ windows: Map<string, LimitWindow>; clock: number }> {
  const windows = new Map<string, LimitWindow>()
  let clock = 0
  if (keys.length === 0) return { windows, clock }
  const [, { rows }] = await Promise.all([
    ask('insert into limit_windows (key) select unnest($1::text[]) on conflict (key) do nothing', [keys]),
    ask(`select key, state, ${clockMs} from limit_windows where key = any($1) order by key for update`, [keys]),
  ])
  for (const row of rows as { key: string; state: string; clock: number }[]) {
    windows.set(row.key, readWindow(row.state))
    clock = Math.max(clock, row.clock)
  }
  return { windows, clock }
}

export const holdColumns = { token: 'token_id', user: 'user_id', channel: 'channel_id' } as const

async function countRunning(ask: RunQuery, limited: readonly Limited[]): Promise<Map<string, number>> {
  const running = new Map<string, number>()
  const counts = (['token', 'user', 'channel'] as const).map(async (kind) => {
    const ids = new Set(limited.filter((one) => one.kind === kind).map(({ id }) => id))
    if (ids.size === 0) return
    const column = holdColumns[kind]
    const { rows } = await ask(
      `select ${column} as id, count(*)::int as running from holds
       where ${column} = any($1) and ${column} > 0 and node_id <> $2 group by 1`,
      [[...ids], noNode],
    )
    for (const row of rows) running.set(limitKey({ kind, id: row.id }), row.running)
  })
  await Promise.all(counts)
  return running
}

/** The windows that were counted in or corrected, and which request goes through which channel. */
export function limitWritesOf(limits: SharedLimits, changes: Changes): Part[] {
  const parts: Part[] = []
  const { windows, clock, written } = limits
  for (const { key, at, difference } of changes.corrections) {
    const window = windows.get(key)
    if (window) correctTokens(window, at, difference)
  }
  if (windows.size > 0) {
    for (const [key, window] of windows) {
      expire(window, clock)
      written.set(key, writeWindow(window))
    }
    parts.push({
      name: 'windows',
      text: (first) => `update limit_windows set state = source.state, updated_at = $${first + 2}::bigint
       from unnest($${first}::text[], $${first + 1}::text[]) as source(key, state) where limit_windows.key = source.key`,
      values: [[...written.keys()], [...written.values()], Math.floor(clock / 1000)],
    })
  }
  const { entered } = changes
  if (entered.size > 0) {
    parts.push({
      name: 'entered',
      text: (first) => `update holds set channel_id = source.channel
       from unnest($${first}::text[], $${first + 1}::bigint[]) as source(id, channel) where holds.id = source.id`,
      values: [[...entered.keys()], [...entered.values()]],
    })
  }
  return parts
}

/** What counts on limits right now, read without a lock. */
export async function readLimitUse(ask: RunQuery, one: Pick<Limited, 'kind' | 'id'>): Promise<LimitUse> {
  const { rows } = await ask(`select state, ${clockMs} from limit_windows where key = $1`, [limitKey(one)])
  const running = await countRunning(ask, [{ ...one, rpm: 0, tpm: 0, parallel: 1 }])
  const window = rows[0] ? readWindow(rows[0].state) : emptyWindow()
  if (rows[0]) expire(window, rows[0].clock)
  return { requests: window.requests, tokens: Math.max(0, window.tokens), running: running.get(limitKey(one)) ?? 0 }
}
