import { createHash } from 'node:crypto'
import type { LedgerTask } from '#server/billing/ledger/decide.ts'
import { noNode } from '#server/billing/ledger/lasting-holds.ts'
import { type Limited, type LimitedKind, limitKey } from '#server/billing/limits/limit-check.ts'
import { emptyWindow, type LimitWindow, readWindow } from '#server/billing/limits/limit-window.ts'
import { correctedBy, holdColumns, lateMs, limitsOf, noLimits, type SharedLimits } from './postgres-limits.ts'
import type { Part, Proof } from './statement.ts'

/** Limits remembered from earlier commits, by which a batch is decided, and the conditions the database must confirm. */
export interface RememberedLimits {
  readonly limits: SharedLimits
  readonly proofs: readonly Proof[]
  /** Known once the batch is decided. */
  conditions(): readonly Part[]
}

/** What this node left behind in the windows of limits, and what it knows of the database's clock. */
export interface LimitMemory {
  /** Null when a window is not remembered. */
  recall(operations: readonly LedgerTask[]): RememberedLimits | null
  /** What was written, and the clock as it was read. */
  learn(limits: SharedLimits, clock: Pick<SharedLimits, 'clock' | 'readAt'>): void
  forget(operations: readonly LedgerTask[]): void
}

const rememberedMax = 20_000
/** How far the database's clock may be behind our estimate of it. */
const earlyMs = 5

const nothing: RememberedLimits = { limits: noLimits, proofs: [], conditions: () => [] }

const keysOf = (operation: LedgerTask): string[] => [
  ...(limitsOf(operation)?.of.map(limitKey) ?? []),
  ...correctedBy(operation).map(({ key }) => key),
]

export function createLimitMemory(): LimitMemory {
  const states = new Map<string, string>()
  let read: Pick<SharedLimits, 'clock' | 'readAt'> | null = null
  return {
    recall(operations) {
      const keys = [...new Set(operations.flatMap(keysOf))].sort()
      if (keys.length === 0) return nothing
      const windows = new Map<string, LimitWindow>()
      const expected: string[] = []
      for (const key of keys) {
        const state = states.get(key)
        if (state === undefined || !read) return null
        windows.set(key, readWindow(state))
        expected.push(`${key}|${createHash('md5').update(state).digest('hex')}`)
      }
      const now = read ? Math.round(read.clock + performance.now() - read.readAt) : 0
      return remembered(windows, now, { name: 'windows', text: lockingWindows, values: [keys, expected] })
    },
    learn({ written }, clock) {
      if (written.size === 0) return
      read = { clock: clock.clock, readAt: clock.readAt }
      if (states.size + written.size > rememberedMax) states.clear()
      for (const [key, state] of written) states.set(key, state)
    },
    forget(operations) {
      for (const key of operations.flatMap(keysOf)) states.delete(key)
    },
  }
}

const lockingWindows = (first: number) =>
  `select concat_ws('|', key, md5(state)) as state from limit_windows where key = any($${first}::text[])
   order by key for update`

/** What is taken for the clock was read a way ago: a window is looked at no later than it says, and a request counts no earlier. */
const clockCondition = (now: number): Part => ({
  name: 'clock',
  text: (first) =>
    `(extract(epoch from clock_timestamp()) * 1000 - $${first}::bigint between -${earlyMs} and ${lateMs})`,
  values: [now],
})

/**
 * The number of running requests is not remembered: the batch counts its own and is written only if the others leave room for them.
 * Every new request changes its window, so requests other nodes have begun since are noticed.
 */
function remembered(windows: ReadonlyMap<string, LimitWindow>, now: number, proof: Proof): RememberedLimits {
  const begun = new Map<string, { readonly limited: Limited; count: number }>()
  const limits: SharedLimits = {
    windows,
    clock: now - earlyMs,
    readAt: 0,
    written: new Map(),
    now: () => now - earlyMs,
    moment: () => now + lateMs,
    windowOf: (limited) => windows.get(limitKey(limited)) ?? emptyWindow(),
    runningOf: (limited) => begun.get(limitKey(limited))?.count ?? 0,
    began(limited) {
      if (limited.parallel === 0) return
      const one = begun.get(limitKey(limited)) ?? { limited, count: 0 }
      one.count += 1
      begun.set(limitKey(limited), one)
    },
  }
  const conditions = () => [
    clockCondition(now),
    ...(['token', 'user', 'channel'] as const).flatMap((kind) => {
      const own = [...begun.values()].filter((one) => one.limited.kind === kind)
      return own.length === 0 ? [] : [roomCondition(kind, own)]
    }),
  ]
  return { limits, proofs: [proof], conditions }
}

function roomCondition(kind: LimitedKind, begun: readonly { limited: Limited; count: number }[]): Part {
  const column = holdColumns[kind]
  return {
    name: `room of ${kind}`,
    text: (first) => `not exists (
      select 1 from unnest($${first}::bigint[], $${first + 1}::bigint[]) as source(id, room)
      where (select count(*) from holds where ${column} = source.id and ${column} > 0 and node_id <> $${first + 2}::text) > source.room)`,
    values: [
      begun.map(({ limited }) => limited.id),
      begun.map(({ limited, count }) => limited.parallel - count),
      noNode,
    ],
  }
}
