import type { SqliteDatabase } from '#server/db/database.ts'
import { admit, type Decision, decide, type LedgerTask } from './decide.ts'
import { groupCommit } from './group-commit.ts'
import type { HoldResult, Ledger } from './ledger.ts'
import { type Accounts, createAccounts, type Party } from './sqlite-accounts.ts'
import { prepareStatements, type Statements, save, storedBalances } from './sqlite-statements.ts'

const partyOf = (operation: LedgerTask): Party & { readonly id: string } =>
  operation.type === 'reserve' ? operation.request : operation.settlement

/**
 * The ledger of the one process that serves a SQLite file. Holds and the balances of those who send requests live in its
 * memory: nothing has to be read or written to keep two requests from spending the same money, and a process that dies returns
 * its holds by dying. Settlements are group-committed to disk.
 */
export function sqliteLedger(database: SqliteDatabase): Ledger {
  const accounts = createAccounts()
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
        return commit(use, operations, accounts)
      }),
    () => accounts.holds.size,
  )
  return {
    reserve(request) {
      refresh()
      return accounts.reserve(request) ?? admitting.reserve(request)
    },
    settle: settling.settle,
    drain: async () => {
      await admitting.drain()
      await settling.drain()
    },
    depth: settling.depth,
    heldInMemory: () => accounts.holds.size,
  }
}

/** Requests whose balances have to be read first. */
function admitAll(use: Statements, operations: readonly LedgerTask[], accounts: Accounts): HoldResult[] {
  accounts.learn(operations.map(partyOf), storedBalances(use))
  return operations.map((operation) => {
    if (operation.type !== 'reserve') throw new Error('only reservations are admitted')
    const { request } = operation
    return (
      accounts.reserve(request) ??
      admit(request, accounts.users.get(request.userId), accounts.tokens.get(request.tokenId))
    )
  })
}

function commit(use: Statements, operations: readonly LedgerTask[], accounts: Accounts): Decision {
  use.begin.run()
  let decision: Decision
  try {
    accounts.follow(use.version.get()?.data_version)
    const parties = operations.map(partyOf)
    accounts.learn(parties, storedBalances(use))
    const { users, tokens, holds } = accounts
    // Only this process opens holds and only a settlement closes them: without one, it has been settled before.
    const settled = new Set<string>()
    for (const { id } of parties) if (!holds.has(id)) settled.add(id)
    decision = decide(operations, { users, tokens, holds, settled })
    save(use, decision.changes, accounts)
    use.commit.run()
  } catch (error) {
    use.giveUp()
    throw error
  }
  accounts.settled(decision.changes)
  return decision
}
