import type { LedgerResult, LedgerTask } from './decide.ts'
import type { EntryResult, HoldRequest, HoldResult, Ledger, Settlement, SettleResult } from './ledger.ts'
import { rowsLocked } from './rows-locked.ts'

/** An operation somebody waits for. */
export interface Waiting {
  readonly operation: LedgerTask
  resolve(result: LedgerResult): void
  reject(error: unknown): void
}

/** What a commit made of its operations, in order. Those with `rowsLocked` are not part of it. */
export interface Committed {
  readonly results: readonly (LedgerResult | typeof rowsLocked | undefined)[]
}

/** Where operations wait whose rows somebody else has locked, so that they keep nobody else waiting. */
export interface WaitingLane {
  /** Whether the rows of this operation were locked a moment ago. */
  takes(operation: LedgerTask): boolean
  add(waiting: Waiting): void
  /** Resolves when nothing waits. */
  drain(): Promise<void>
  depth(): number
}

const noLane: WaitingLane = {
  takes: () => false,
  add: ({ reject }) => reject(new Error('an operation found its rows locked')),
  drain: async () => {},
  depth: () => 0,
}

const batchMax = 1024

/** The database is reachable and refuses the write of one operation: the others of its batch are committed without it. */
export const isRefusedWrite = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(22|23|SQLITE_CONSTRAINT|SQLITE_MISMATCH|SQLITE_TOOBIG)/.test(String(error.code))

/** The part of a ledger that shares commits; the rest is specific to the engine. */
export type GroupCommit = Pick<Ledger, 'reserve' | 'settle' | 'renew' | 'enter' | 'drain' | 'depth'>

/** How long a commit waits for more operations to share it, and then for those that arrive at the same moment. */
const gatheringMs = 2

/** With this many operations the share of each in a commit is small, and waiting for more only delays them. */
const enough = 16

/**
 * All operations waiting at one moment share one durable commit. A commit costs the same however many share it, so with many
 * requests under way (`underWay`) it waits a moment for half of them or for `enough`, and goes on while every turn of the event
 * loop brings more; a lone request never waits.
 */
export function groupCommit(
  commit: (operations: readonly LedgerTask[]) => Committed | Promise<Committed>,
  underWay: () => number = () => 0,
  lane: WaitingLane = noLane,
): GroupCommit {
  let waiting: Waiting[] = []
  let running: Promise<void> | null = null
  let begin: () => void = () => {}

  const isWorthIt = () => waiting.length >= Math.min(enough, underWay() / 2)
  const gather = (before: number, until: number, done: () => void) => {
    setImmediate(() => {
      const { length } = waiting
      const isEnough = length <= before || length >= Math.min(enough, underWay()) || performance.now() >= until
      if (isEnough) flush().then(done)
      else gather(length, until, done)
    })
  }
  const start = () =>
    new Promise<void>((done) => {
      let begun = false
      begin = () => {
        if (begun) return
        begun = true
        gather(0, performance.now() + gatheringMs, done)
      }
      if (isWorthIt()) begin()
      else setTimeout(begin, gatheringMs)
    })

  const submit = (operation: LedgerTask) =>
    new Promise<LedgerResult>((resolve, reject) => {
      const one = { operation, resolve, reject }
      if (lane.takes(operation)) return lane.add(one)
      waiting.push(one)
      if (!running) running = start()
      else if (isWorthIt()) begin()
    })

  const flush = async () => {
    const batch = waiting.length <= batchMax ? waiting : waiting.slice(0, batchMax)
    waiting = waiting.length <= batchMax ? [] : waiting.slice(batchMax)
    await commitBatch(batch)
    running = waiting.length > 0 ? start() : null
  }

  const commitBatch = async (batch: readonly Waiting[]) => {
    try {
      const made = commit(batch.map(({ operation }) => operation))
      const { results } = made instanceof Promise ? await made : made
      for (const [at, one] of batch.entries()) {
        const result = results[at]
        if (result === rowsLocked) lane.add(one)
        else answer(one, result)
      }
    } catch (error) {
      if (batch.length > 1 && isRefusedWrite(error)) for (const one of batch) await commitBatch([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  const reserve = (request: HoldRequest) => submit({ type: 'reserve', request }) as Promise<HoldResult>
  const settle = (settlement: Settlement) => submit({ type: 'settle', settlement }) as Promise<SettleResult>

  return {
    reserve,
    settle,
    // Submitted in one turn, so that they are neighbours in one commit.
    async renew(settlement, request) {
      const [settled, held] = await Promise.all([settle(settlement), reserve(request)])
      return { settled, held }
    },
    enter: (entry) => submit({ type: 'enter', entry }) as Promise<EntryResult>,
    drain: async () => {
      while (running) await running
      await lane.drain()
    },
    depth: () => waiting.length + lane.depth(),
  }
}

export function answer({ resolve, reject }: Waiting, result: LedgerResult | undefined): void {
  if (result) resolve(result)
  else reject(new Error('an operation got no result'))
}
