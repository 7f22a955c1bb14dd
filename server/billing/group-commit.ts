import type { Decision, Operation } from './decide.ts'
import type { HoldResult, Ledger, SettleResult } from './ledger.ts'

type Result = HoldResult | SettleResult

interface Waiting {
  readonly operation: Operation
  resolve(result: Result): void
  reject(error: unknown): void
}

const batchMax = 1024

/** All operations waiting at one moment share one durable commit. */
export function groupCommit(commit: (operations: readonly Operation[]) => Promise<Decision>): Ledger {
  let waiting: Waiting[] = []
  let running: Promise<void> | null = null

  const submit = (operation: Operation) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ operation, resolve, reject })
      running ??= new Promise<void>((done) => setImmediate(() => flush().then(done)))
    })

  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting.length <= batchMax ? waiting : waiting.slice(0, batchMax)
      waiting = waiting.length <= batchMax ? [] : waiting.slice(batchMax)
      await commitBatch(batch)
    }
    running = null
  }

  const commitBatch = async (batch: readonly Waiting[]) => {
    try {
      const { results } = await commit(batch.map(({ operation }) => operation))
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = results[at]
        if (result) resolve(result)
        else reject(new Error('an operation got no result'))
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return {
    reserve: (request) => submit({ type: 'reserve', request }) as Promise<HoldResult>,
    settle: (settlement) => submit({ type: 'settle', settlement }) as Promise<SettleResult>,
    drain: async () => {
      while (running) await running
    },
    depth: () => waiting.length,
    heldInMemory: () => 0,
  }
}
