import type { Decision, Operation } from './decide.ts'
import type { HoldResult, Ledger, SettleResult } from './ledger.ts'

type Result = HoldResult | SettleResult

interface Waiting {
  readonly operation: Operation
  resolve(result: Result): void
  reject(error: unknown): void
}

const batchMax = 1024

/** The database is there and does not take what one of the operations writes: the others need not suffer for it. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(22|23|SQLITE_CONSTRAINT|SQLITE_MISMATCH|SQLITE_TOOBIG)/.test(String(error.code))

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
      if (batch.length > 1 && isRefusal(error)) for (const one of batch) await commitBatch([one])
      else for (const { reject } of batch) reject(error)
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
