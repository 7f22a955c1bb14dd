import type { SqliteDatabase } from '#server/db/database.ts'
import type { FreshUsage } from '#server/db/usage/fresh-usage.ts'
import type { Logger } from '#server/lib/log.ts'
import type { PeriodOf } from '#server/lib/time/calendar.ts'
import { involved, type Party } from '../account.ts'
import { type Decision, decide, type Hold, type LedgerTask, type NewHold } from '../decide.ts'
import { groupCommit } from '../group-commit.ts'
import type { HoldRequest, HoldResult, Ledger } from '../ledger.ts'
import { createJournaledWrites } from './journaled-writes.ts'
import { type Accounts, createAccounts } from './sqlite-accounts.ts'
import {
  prepareStatements,
  type Statements,
  save,
  saveHolds,
  storedAccounts,
  storedHold,
  withinTransaction,
} from './sqlite-statements.ts'
import { storedWrites } from './stored-writes.ts'

function partyOf(operation: LedgerTask): Party & { readonly id: string } {
  if (operation.type === 'enter') throw new Error('a channel is entered in memory')
  return operation.type === 'reserve' ? operation.request : operation.settlement
}

/**
 * The ledger of the one process that serves a SQLite file. Holds and the balances of those who send requests live in its
 * memory: nothing has to be read or written to keep two requests from spending the same money, and a process that dies returns
 * its holds by dying. Holds that last are in the file, taken off its balances. Settlements are group-committed to disk: to the
 * journal of the file where all they need is known, to its tables otherwise.
 */
export function sqliteLedger(database: SqliteDatabase, periodOf: PeriodOf, log: Pick<Logger, 'warn'>): Ledger {
  const memory = createAccounts(periodOf)
  let statements: Statements | null = null
  /** Before anybody is admitted. */
  const begin = (prepared: Statements): Statements => {
    memory.recallLimits(prepared.lastMinute.all())
    return prepared
  }
  const withStatements = <Result>(work: (use: Statements) => Result): Promise<Result> =>
    database.exclusive((sqlite) => {
      statements ??= begin(prepareStatements(sqlite))
      return work(statements)
    })

  const applyNow = () => {
    try {
      if (statements) journaled.apply(statements)
    } catch {
      // The writes stay in the journal; the next settlement fails with the database's error.
    }
  }
  const journaled = createJournaledWrites({
    path: database.ownJournal(applyNow),
    fresh: database.fresh,
    due: () => (database.isIdle() ? applyNow() : void database.exclusive(() => {})),
    found: memory.settled,
    seen: memory.follow,
    unavailable: (cause) =>
      log.warn('the settlements journal cannot be made; settlements are slower until a restart', { cause }),
  })
  database.closed.addEventListener('abort', journaled.close, { once: true })

  let seenChanges = database.changes()
  /** Whatever else has been written since may have changed balances. */
  const refresh = () => {
    if (seenChanges === database.changes()) return
    seenChanges = database.changes()
    memory.forget()
  }
  const admitting = groupCommit((operations) =>
    withStatements((use) => {
      refresh()
      // Balances are read only when all settlements are in the tables.
      if (journaled.isWaiting()) journaled.apply(use)
      return { results: admitAll(use, operations, memory) }
    }),
  )
  const settling = groupCommit(
    (operations) => {
      refresh()
      if (database.isIdle() && isKnown(operations, memory)) {
        const { accounts, holds, limits } = memory
        const decision = decide(operations, { accounts, holds, settled: nothingSettled, periodOf, limits })
        const { changes } = decision
        if (journaled.append({ writes: storedWrites(changes, accounts, []), changes })) {
          memory.settled(changes)
          if (journaled.isFull()) applyNow()
          return decision
        }
      }
      return withStatements((use) => {
        refresh()
        journaled.apply(use)
        return commit(use, operations, { memory, fresh: database.fresh, periodOf })
      })
    },
    () => memory.holds.size,
  )
  const reserve = (request: HoldRequest): HoldResult | Promise<HoldResult> => {
    refresh()
    if (request.lasting) return settling.reserve(request)
    return memory.reserve(request) ?? admitting.reserve(request)
  }
  return {
    reserve,
    settle: settling.settle,
    // What is given back is held anew in the same turn.
    renew: async (settlement, request) => ({
      settled: await settling.settle(settlement),
      held: await reserve(request),
    }),
    enter: memory.enter,
    async limitUse(kind, id, now) {
      if (!statements) await withStatements(() => {})
      return memory.limitUse(kind, id, now)
    },
    drain: async () => {
      await admitting.drain()
      await settling.drain()
      await database.exclusive(() => {})
    },
    depth: settling.depth,
    heldInMemory: () => memory.holds.size,
    heldInMemoryOf: memory.heldOf,
    memberInMemory: memory.memberIn,
  }
}

const nothingSettled: ReadonlyMap<string, null> = new Map()

/** Whether all these close a hold of this process, on balances it knows: then nothing has to be read, and no two are the same. */
function isKnown(operations: readonly LedgerTask[], { accounts, holds }: Accounts): boolean {
  return operations.every((operation) => {
    if (operation.type !== 'settle' || !holds.has(operation.settlement.id)) return false
    const who = involved(operation.settlement, (kind, id) => accounts[kind].get(id))
    return who.user && who.token && (operation.settlement.teamId === 0 || (who.team && who.member))
  })
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
  const { decision, version, lastLog } = withinTransaction(use, () => {
    const version = use.version.get()?.data_version ?? 0
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
    const decision = decide(operations, { accounts, holds, settled, periodOf, limits })
    const closed = decision.changes.closedHolds.flatMap((id) => lasting.get(id) ?? [])
    save(use, storedWrites(decision.changes, accounts, closed))
    saveHolds(use, decision.changes.newHolds, closed)
    return { decision, version, lastLog: use.lastLog.get()?.id ?? 0 }
  })
  memory.settled(decision.changes)
  fresh.add(decision.changes.logs, lastLog, version)
  return decision
}
