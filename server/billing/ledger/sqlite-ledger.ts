import type { SqliteDatabase } from '#server/db/database.ts'
import type { FreshUsage } from '#server/db/usage/fresh-usage.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import type { Party } from './account.ts'
import { type Decision, decide, type Hold, type LedgerTask, type NewHold } from './decide.ts'
import { groupCommit } from './group-commit.ts'
import type { HoldResult, Ledger } from './ledger.ts'
import { type Accounts, createAccounts } from './sqlite-accounts.ts'
import { prepareStatements, type Statements, save, storedAccounts, storedHold } from './sqlite-statements.ts'

function partyOf(operation: LedgerTask): Party & { readonly id: string } {
  if (operation.type === 'enter') throw new Error('a channel is entered in memory')
  return operation.type === 'reserve' ? operation.request : operation.settlement
}

/**
 * The ledger of the one process that serves a SQLite file. Holds and the balances of those who send requests live in its
 * memory: nothing has to be read or written to keep two requests from spending the same money, and a process that dies returns
 * its holds by dying. Holds that last are in the file, taken off its balances. Settlements are group-committed to disk.
 */
export function sqliteLedger(database: SqliteDatabase, periodOf: PeriodOf): Ledger {
  const accounts = createAccounts(periodOf)
  let statements: Statements | null = null
  const withStatements = <Result>(work: (use: Statements) => Result): Promise<Result> =>
    database.exclusive((sqlite) => {
      statements ??= prepareStatements(sqlite)
      return work(statements)
    })

  let seenChanges = database.changes()
  /** Whatever else has been written since may have changed balances. */
  const refresh = () => {
    if (seenChanges === database.changes()) return
    seenChanges = database.changes()
    accounts.forget()
  }
  const admitting = groupCommit((operations) =>
    withStatements((use) => {
      refresh()
      return { results: admitAll(use, operations, accounts) }
    }),
  )
  const settling = groupCommit(
    (operations) =>
      withStatements((use) => {
        refresh()
        return commit(use, operations, { memory: accounts, fresh: database.fresh, periodOf })
      }),
    () => accounts.holds.size,
  )
  return {
    reserve(request) {
      refresh()
      if (request.lasting) return settling.reserve(request)
      return accounts.reserve(request) ?? admitting.reserve(request)
    },
    settle: settling.settle,
    enter: accounts.enter,
    limitUse: async (kind, id, now) => accounts.limitUse(kind, id, now),
    drain: async () => {
      await admitting.drain()
      await settling.drain()
    },
    depth: settling.depth,
    heldInMemory: () => accounts.holds.size,
    heldInMemoryOf: accounts.heldOf,
  }
}

/** Requests whose balances have to be read first. */
function admitAll(use: Statements, operations: readonly LedgerTask[], accounts: Accounts): HoldResult[] {
  accounts.learn(operations.map(partyOf), storedAccounts(use))
  return operations.map((operation) => {
    if (operation.type !== 'reserve') throw new Error('only reservations are admitted')
    return accounts.reserveLearned(operation.request)
  })
}

/** Of what is settled, the holds that are in the file. */
function lastingHolds(
  use: Statements,
  operations: readonly LedgerTask[],
  { holds }: Pick<Accounts, 'holds'>,
): Map<string, NewHold> {
  const found = new Map<string, NewHold>()
  for (const operation of operations) {
    if (operation.type !== 'settle' || holds.has(operation.settlement.id)) continue
    const hold = storedHold(use, operation.settlement.id)
    if (hold) found.set(hold.id, hold)
  }
  return found
}

interface Remembered {
  readonly memory: Accounts
  readonly fresh: FreshUsage
  readonly periodOf: PeriodOf
}

function commit(use: Statements, operations: readonly LedgerTask[], { memory, fresh, periodOf }: Remembered): Decision {
  use.begin.run()
  let decision: Decision
  let version = 0
  let lastLog = 0
  try {
    version = use.version.get()?.data_version ?? 0
    memory.follow(version)
    const parties = operations.map(partyOf)
    memory.learn(parties, storedAccounts(use))
    const { accounts, limits } = memory
    const lasting = lastingHolds(use, operations, memory)
    const holds = lasting.size === 0 ? memory.holds : new Map<string, Hold>([...memory.holds, ...lasting])
    // Only this process opens holds and only a settlement closes them: without one, it has been settled before. A commit to a
    // file of one's own is known to have happened or not: nothing has to be given back.
    const settled = new Map<string, null>()
    for (const { id } of parties) if (!holds.has(id)) settled.set(id, null)
    decision = decide(operations, { accounts, holds, settled, periodOf, limits })
    const closed = decision.changes.closedHolds.flatMap((id) => lasting.get(id) ?? [])
    save(use, decision.changes, accounts, closed)
    lastLog = use.lastLog.get()?.id ?? 0
    use.commit.run()
  } catch (error) {
    use.giveUp()
    throw error
  }
  memory.settled(decision.changes)
  fresh.add(decision.changes.logs, lastLog, version)
  return decision
}
