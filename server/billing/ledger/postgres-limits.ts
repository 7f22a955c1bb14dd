import { type LimitBook, type Limited, type LimitRequest, limitKey } from '#server/billing/limits/limit-check.ts'
import {
  correct,
  emptyWindow,
  expire,
  type LimitWindow,
  readWindow,
  writeWindow,
} from '#server/billing/limits/limit-window.ts'
import type { Changes, LedgerTask } from './decide.ts'
import type { LimitUse } from './ledger.ts'
import type { Ask } from './postgres-load.ts'

/** Limits as all nodes share them: windows in rows, running requests by their holds, the time by the database's clock. */
export interface SharedLimits extends LimitBook {
  readonly windows: ReadonlyMap<string, LimitWindow>
  readonly clock: number
}

const limitsOf = (operation: LedgerTask): LimitRequest | null => {
  if (operation.type === 'settle') return null
  return operation.type === 'reserve' ? operation.request.limits : operation.entry.limits
}

const correctedBy = (operation: LedgerTask): readonly { readonly key: string }[] => {
  if (operation.type === 'settle') return operation.settlement.corrections
  return operation.type === 'enter' && operation.entry.before ? [operation.entry.before] : []
}

export async function loadLimits(ask: Ask, operations: readonly LedgerTask[]): Promise<SharedLimits> {
  const keys = new Set<string>()
  const limited: Limited[] = []
  for (const operation of operations) {
    for (const one of limitsOf(operation)?.of ?? []) {
      keys.add(limitKey(one))
      if (one.parallel > 0) limited.push(one)
    }
    for (const { key } of correctedBy(operation)) keys.add(key)
  }
  const running = await countRunning(ask, limited)
  const { windows, clock } = await lockWindows(ask, [...keys].sort())
  return {
    windows,
    clock,
    now: () => clock,
    windowOf: (one) => windows.get(limitKey(one)) ?? emptyWindow(),
    runningOf: (one) => running.get(limitKey(one)) ?? 0,
    began: (one) => running.set(limitKey(one), (running.get(limitKey(one)) ?? 0) + 1),
  }
}

const clockMs = 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as clock'

async function lockWindows(
  ask: Ask,
  keys: readonly string[],
): Promise<{ windows: Map<string, LimitWindow>; clock: number }> {
  const windows = new Map<string, LimitWindow>()
  let clock = 0
  if (keys.length === 0) return { windows, clock }
  const read = ({ rows }: { rows: { key: string; state: string; clock: number }[] }) => {
    for (const row of rows) {
      windows.set(row.key, readWindow(row.state))
      clock = Math.max(clock, row.clock)
    }
  }
  read(
    await ask(`select key, state, ${clockMs} from limit_windows where key = any($1) order by key for update`, [keys]),
  )
  const missing = keys.filter((key) => !windows.has(key))
  if (missing.length > 0) {
    // Whoever else has just made the row is waited for, and its state read.
    read(
      await ask(
        `insert into limit_windows (key) select unnest($1::text[]) on conflict (key) do update set key = excluded.key
         returning key, state, ${clockMs}`,
        [missing],
      ),
    )
  }
  return { windows, clock }
}

const holdColumns = { token: 'token_id', user: 'user_id', channel: 'channel_id' } as const

async function countRunning(ask: Ask, limited: readonly Limited[]): Promise<Map<string, number>> {
  const running = new Map<string, number>()
  for (const kind of ['token', 'user', 'channel'] as const) {
    const ids = new Set(limited.filter((one) => one.kind === kind).map(({ id }) => id))
    if (ids.size === 0) continue
    const column = holdColumns[kind]
    const { rows } = await ask(
      `select ${column} as id, count(*)::int as running from holds where ${column} = any($1) and ${column} > 0 group by 1`,
      [[...ids]],
    )
    for (const row of rows) running.set(limitKey({ kind, id: row.id }), row.running)
  }
  return running
}

/** Writes the windows that were counted in or corrected, and which request goes through which channel. */
export async function saveLimits(ask: Ask, limits: SharedLimits, changes: Changes): Promise<void> {
  for (const { key, at, difference } of changes.corrections) {
    const window = limits.windows.get(key)
    if (window) correct(window, at, difference)
  }
  if (limits.windows.size > 0) {
    for (const window of limits.windows.values()) expire(window, limits.clock)
    await ask(
      `update limit_windows set state = source.state, updated_at = $3
       from unnest($1::text[], $2::text[]) as source(key, state) where limit_windows.key = source.key`,
      [[...limits.windows.keys()], [...limits.windows.values()].map(writeWindow), Math.floor(limits.clock / 1000)],
    )
  }
  if (changes.entered.size > 0) {
    await ask(
      `update holds set channel_id = source.channel from unnest($1::text[], $2::bigint[]) as source(id, channel)
       where holds.id = source.id`,
      [[...changes.entered.keys()], [...changes.entered.values()]],
    )
  }
}

/** What counts on limits right now, read without a lock. */
export async function readLimitUse(ask: Ask, one: Pick<Limited, 'kind' | 'id'>): Promise<LimitUse> {
  const { rows } = await ask(`select state, ${clockMs} from limit_windows where key = $1`, [limitKey(one)])
  const running = await countRunning(ask, [{ ...one, rpm: 0, tpm: 0, parallel: 1 }])
  const window = rows[0] ? readWindow(rows[0].state) : emptyWindow()
  if (rows[0]) expire(window, rows[0].clock)
  return { requests: window.requests, tokens: Math.max(0, window.tokens), running: running.get(limitKey(one)) ?? 0 }
}
