import { type Decision, decide, type LedgerTask } from '#server/billing/ledger/decide.ts'
import { type Committed, groupCommit } from '#server/billing/ledger/group-commit.ts'
import type { Ledger } from '#server/billing/ledger/ledger.ts'
import { rowsLocked } from '#server/billing/ledger/rows-locked.ts'
import type { PostgresDatabase } from '#server/db/database.ts'
import { transactionLimits } from '#server/db/postgres/postgres-dialect.ts'
import { isStaleStatement, prepared } from '#server/db/postgres/prepared.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import { limitWritesOf, readLimitUse, type SharedLimits } from './postgres-limits.ts'
import { type Loaded, load } from './postgres-load.ts'
import { writesOf } from './postgres-save.ts'
import { createMemory, type Remembered, type SharedKnown } from './remembered.ts'
import type { RunQuery } from './run-query.ts'
import { isOutdated, oneStatement, type Part } from './statement.ts'
import { createWaitingLane } from './waiting-lane.ts'

/**
 * Commits a batch in one transaction. Where what it needs is remembered from before, that is one statement; otherwise two ways to the
 * database: rows locked in order of id, then all that is written. Rows that somebody else has locked are not waited for.
 */
export function postgresCommit(
  database: PostgresDatabase,
  nodeId: string,
  periodOf: PeriodOf,
): (operations: readonly LedgerTask[], how?: 'remembered' | 'looked up') => Promise<Committed> {
  const memory = createMemory()
  const learning = async (operations: readonly LedgerTask[], commit: () => Promise<Written>): Promise<Committed> => {
    try {
      const { known, decision, clock, locked } = await commit()
      memory.learn(known, decision, clock)
      return { results: resultsOf(operations, decision, locked) }
    } catch (error) {
      memory.forget(operations)
      throw error
    }
  }
  return async (operations, how = 'remembered') => {
    const remembered = how === 'remembered' ? memory.recall(operations, periodOf) : null
    if (remembered) {
      try {
        return await learning(operations, () => commitRemembered(database, nodeId, operations, remembered))
      } catch (error) {
        if (!isOutdated(error) && !isInTheWay(error)) throw error
      }
    }
    for (let tries = 1; ; tries += 1) {
      try {
        return await learning(operations, () =>
          commitAsked(database, nodeId, operations, (ask) => load(ask, operations, periodOf)),
        )
      } catch (error) {
        if (tries === triesMax || !isInTheWay(error)) throw error
      }
    }
  }
}

interface Written {
  readonly known: SharedKnown
  readonly decision: Decision
  readonly clock: Pick<SharedLimits, 'clock' | 'readAt'>
  /** Operations that are not part of the decision. */
  readonly locked: ReadonlySet<LedgerTask>
}

const none: ReadonlySet<LedgerTask> = new Set()

function resultsOf(
  operations: readonly LedgerTask[],
  { results }: Decision,
  locked: ReadonlySet<LedgerTask>,
): Committed['results'] {
  if (locked.size === 0) return results
  let next = 0
  return operations.map((operation) => (locked.has(operation) ? rowsLocked : results[next++]))
}

const triesMax = 5

/** A deadlock or serialisation failure, or a statement a pooler has lost: nothing was written and the batch is tried again. */
const isInTheWay = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === '40P01' || error.code === '40001' || isStaleStatement(error))

async function commitRemembered(
  { ledgerPool, timeouts }: PostgresDatabase,
  nodeId: string,
  operations: readonly LedgerTask[],
  { known, proofs, conditions }: Remembered,
): Promise<Written> {
  const decision = decide(operations, known)
  const { text, values } = oneStatement({
    proofs,
    conditions: conditions(),
    writes: allWrites(known, decision, nodeId),
  })
  const client = await ledgerPool.connect()
  let broken: unknown
  try {
    const { rows } = await client.query(prepared(client, { text, values, query_timeout: timeouts?.shortMs }))
    return { known, decision, clock: { clock: rows[0]?.clock ?? 0, readAt: performance.now() }, locked: none }
  } catch (error) {
    // A refused statement leaves the connection usable.
    if (!isOutdated(error)) broken = error
    throw error
  } finally {
    client.release(broken instanceof Error ? broken : undefined)
  }
}

async function commitAsked(
  { ledgerPool, timeouts }: PostgresDatabase,
  nodeId: string,
  operations: readonly LedgerTask[],
  look: (ask: RunQuery) => Promise<Loaded>,
): Promise<Written> {
  const client = await ledgerPool.connect()
  /** The first error: later ones only say that the transaction is aborted. */
  let cause: unknown
  const ask: RunQuery = (text, values) => {
    const question = prepared(client, { text, values, query_timeout: timeouts?.shortMs })
    return client.query(question).catch((error: unknown) => {
      cause ??= error
      throw error
    })
  }
  let broken: Error | undefined
  try {
    const begun = [ask('begin'), ask(transactionLimits)]
    const [{ known, locked }] = await Promise.all([look(ask), ...begun])
    const free = locked.size === 0 ? operations : operations.filter((operation) => !locked.has(operation))
    const decision = decide(free, known)
    // A commit behind a statement that failed undoes all of them.
    const written = allWrites(known, decision, nodeId).map(({ text, values }) => ask(text(1), [...values]))
    await Promise.all([...written, ask('commit')])
    return { known, decision, clock: known.limits, locked }
  } catch (error) {
    const fault = cause ?? error
    broken = fault instanceof Error ? fault : new Error(String(fault))
    await ask('rollback').then(
      () => {
        if (!isStaleStatement(fault)) broken = undefined
      },
      () => {},
    )
    throw fault
  } finally {
    client.release(broken)
  }
}

const allWrites = ({ limits }: SharedKnown, { changes }: Decision, nodeId: string): Part[] => [
  ...writesOf(changes, nodeId),
  ...limitWritesOf(limits, changes),
]

/** The ledger of one of several nodes: everything is in the database. */
export function postgresLedger(database: PostgresDatabase, nodeId: string, periodOf: PeriodOf): Ledger {
  const commit = postgresCommit(database, nodeId, periodOf)
  return {
    ...groupCommit(
      commit,
      () => 0,
      createWaitingLane((operations) => commit(operations, 'looked up')),
    ),
    limitUse: (kind, id) => readLimitUse((text, values) => database.pool.query(text, values), { kind, id }),
    heldInMemory: () => 0,
    heldInMemoryOf: () => ({ count: 0, amount: 0 }),
    memberInMemory: () => 0,
  }
}
