import type { LedgerTask } from '#server/billing/ledger/decide.ts'
import {
  answer,
  type Committed,
  isRefusedWrite,
  type Waiting,
  type WaitingLane,
} from '#server/billing/ledger/group-commit.ts'
import { RowsLocked, rowsLocked } from '#server/billing/ledger/rows-locked.ts'
import { othersTurn } from '#server/lib/others-turn.ts'
import { partyOf } from './locked-operations.ts'

/** How long an operation waits for its rows before its caller is asked to come again. */
const patienceMs = 5000

/** Whose rows were locked a moment ago comes here at once, so that shared commits do not find them locked time and again. */
const rememberedMs = 1000

const shortestPauseMs = 1
const longestPauseMs = 20

interface Late extends Waiting {
  readonly until: number
}

/**
 * Operations whose rows somebody else has locked are tried over and over, each as soon as its own rows are free: none waits for
 * the rows of another.
 */
export function createWaitingLane(commit: (operations: readonly LedgerTask[]) => Promise<Committed>): WaitingLane {
  let waiting: Late[] = []
  let running: Promise<void> | null = null
  const lockedUntil = new Map<number, number>()

  const noteLocked = (operation: LedgerTask) => {
    const user = partyOf(operation)?.userId
    if (user !== undefined) lockedUntil.set(user, performance.now() + rememberedMs)
  }
  const takes = (operation: LedgerTask): boolean => {
    const user = partyOf(operation)?.userId
    return user !== undefined && performance.now() < (lockedUntil.get(user) ?? 0)
  }

  /** True when at least one was served. */
  const attempt = async (batch: readonly Late[]): Promise<boolean> => {
    const now = performance.now()
    try {
      const { results } = await commit(batch.map(({ operation }) => operation))
      const late = batch.filter((_, at) => results[at] === rowsLocked)
      for (const [at, one] of batch.entries()) {
        const result = results[at]
        if (result !== rowsLocked) answer(one, result)
        else if (now > one.until) one.reject(new RowsLocked())
      }
      for (const { operation } of late) noteLocked(operation)
      // In the order in which they came: what a settlement gives back is for the hold behind it.
      waiting = [...late.filter(({ until }) => now <= until), ...waiting]
      return late.length < batch.length
    } catch (error) {
      if (batch.length > 1 && isRefusedWrite(error)) for (const one of batch) await attempt([one])
      else for (const { reject } of batch) reject(error)
      return true
    }
  }

  const run = async () => {
    let pauseMs = shortestPauseMs
    // Neighbours are added in one turn.
    await othersTurn()
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      pauseMs = (await attempt(batch)) ? shortestPauseMs : Math.min(pauseMs * 2, longestPauseMs)
      if (waiting.length > 0) await Bun.sleep(pauseMs)
    }
    for (const [user, until] of lockedUntil) if (until <= performance.now()) lockedUntil.delete(user)
    running = null
  }

  return {
    takes,
    add(one) {
      if (!takes(one.operation)) noteLocked(one.operation)
      waiting.push({ ...one, until: performance.now() + patienceMs })
      running ??= run()
    },
    async drain() {
      while (running) await running
    },
    depth: () => waiting.length,
  }
}
