import { type Decision, decide, type Known, type LedgerTask } from '#server/billing/ledger/decide.ts'
import { groupCommit } from '#server/billing/ledger/group-commit.ts'
import type { Ledger } from '#server/billing/ledger/ledger.ts'
import type { PostgresDatabase } from '#server/db/database.ts'
import { transactionLimits } from '#server/db/postgres/postgres-dialect.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import type { Ask } from './postgres-ask.ts'
import { readLimitUse, type SharedLimits, saveLimits } from './postgres-limits.ts'
import { load } from './postgres-load.ts'
import { save } from './postgres-save.ts'
import { createMemory, isOutdated } from './remembered.ts'

/**
 * Commits a batch in one transaction. Where what it needs is remembered from before, it takes one way to the database; otherwise two:
 * rows locked in order of id, then all that is written.
 */
export function postgresCommit(
  database: PostgresDatabase,
  nodeId: string,
  periodOf: PeriodOf,
): (operations: readonly LedgerTask[]) => Promise<Decision> {
  const memory = createMemory()
  const commit = async (operations: readonly LedgerTask[], look: Look): Promise<Decision> => {
    try {
      const { known, decision } = await commitOnce(database, nodeId, operations, look)
      memory.learn(known.accounts, decision)
      return decision
    } catch (error) {
      memory.forget(operations)
      throw error
    }
  }
  return async (operations) => {
    const remembered = memory.recall(operations, periodOf)
    if (remembered) {
      try {
        return await commit(operations, (ask) => ({ known: remembered.known, proofs: remembered.prove(ask) }))
      } catch (error) {
        if (!isOutdated(error) && !isInTheWay(error)) throw error
      }
    }
    for (let tries = 1; ; tries += 1) {
      try {
        return await commit(operations, async (ask) => ({ known: await load(ask, operations, periodOf), proofs: [] }))
      } catch (error) {
        if (tries === triesMax || !isInTheWay(error)) throw error
      }
    }
  }
}

interface Looked {
  readonly known: Known & { readonly limits: SharedLimits }
  /** Questions on their way that must be answered well. */
  readonly proofs: readonly Promise<unknown>[]
}

type Look = (ask: Ask) => Looked | Promise<Looked>

const triesMax = 5

/** Two transactions waited for each other and this one had to give way: nothing of it has happened. */
const isInTheWay = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')

async function commitOnce(
  database: PostgresDatabase,
  nodeId: string,
  operations: readonly LedgerTask[],
  look: Look,
): Promise<{ known: Known; decision: Decision }> {
  const client = await database.pool.connect()
  /** The fault itself: those behind it only say that the transaction is lost. */
  let cause: unknown
  const ask: Ask = (text, values) => {
    const question = { text, values, query_timeout: database.patience?.shortMs }
    return client.query(question).catch((error: unknown) => {
      cause ??= error
      throw error
    })
  }
  let broken: Error | undefined
  try {
    const begun = [ask('begin'), ask(transactionLimits)]
    const looked = look(ask)
    const { known, proofs } = looked instanceof Promise ? (await Promise.all([looked, ...begun]))[0] : looked
    const decision = decide(operations, known)
    // A commit behind a statement that failed undoes all of them.
    await Promise.all([
      ...begun,
      ...proofs,
      ...save(ask, decision.changes, nodeId),
      ...saveLimits(ask, known.limits, decision.changes),
      ask('commit'),
    ])
    return { known, decision }
  } catch (error) {
    const fault = cause ?? error
    broken = fault instanceof Error ? fault : new Error(String(fault))
    await ask('rollback').then(
      () => {
        broken = undefined
      },
      () => {},
    )
    throw fault
  } finally {
    client.release(broken)
  }
}

/** The ledger of one of several nodes: everything is in the database. */
export function postgresLedger(database: PostgresDatabase, nodeId: string, periodOf: PeriodOf): Ledger {
  return {
    ...groupCommit(postgresCommit(database, nodeId, periodOf)),
    limitUse: (kind, id) => readLimitUse((text, values) => database.pool.query(text, values), { kind, id }),
    heldInMemory: () => 0,
    heldInMemoryOf: () => ({ count: 0, amount: 0 }),
  }
}
