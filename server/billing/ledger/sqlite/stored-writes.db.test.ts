import type { Database as Sqlite } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { openDatabase, type SqliteDatabase } from '#server/db/database.ts'
import { appliedNumber, replayJournal } from '#server/db/journal/replay-journal.ts'
import { migrate } from '#server/db/migrate.ts'
import { daySeconds } from '#server/lib/time/day.ts'
import { account, createStore, reserve, settle } from '#server/testing/ledger-store.ts'
import { logOf } from '#server/testing/settlements.ts'
import { runs } from '#shared/testing/thoroughness.ts'
import { type AccountsById, byKind } from '../account.ts'
import type { LedgerTask } from '../decide.ts'
import { prepareStatements, save } from './sqlite-statements.ts'
import {
  isStorable,
  journalRows,
  journalStatements,
  mergeWrites,
  type StoredWrites,
  storedWrites,
} from './stored-writes.ts'

let database: SqliteDatabase

beforeAll(async () => {
  const opened = openDatabase('sqlite::memory:')
  if (opened.engine !== 'sqlite') throw new Error('only SQLite is opened here')
  database = opened
  await migrate(database)
  await database.exclusive((sqlite) => {
    for (const id of [1, 2]) {
      sqlite.run(`insert into users (id, username, quota, budget_period) values (${id}, 'user-${id}', 5000, 'day')`)
      sqlite.run(
        `insert into tokens (id, user_id, key_hash, remain_quota, budget_period) values (${id}, ${id}, 'hash-${id}', 5000, 'day')`,
      )
    }
    sqlite.run("insert into teams (id, quota, budget_period) values (3, 5000, 'day')")
    sqlite.run("insert into team_members (id, team_id, user_id, budget_period) values (4, 3, 2, 'day')")
    sqlite.run("insert into channels (id, name) values (7, 'channel')")
    appliedNumber(sqlite).set(0)
  })
})
afterAll(() => database.close())

const payers = [
  { userId: 1, tokenId: 1 },
  { userId: 2, tokenId: 2, teamId: 3, memberId: 4 },
]

/** A request: who pays, on which day it is let in, what it holds and costs, and whether its row is kept. */
const request = fc.record({
  payer: fc.nat(1),
  day: fc.nat(3),
  held: fc.nat(400),
  charge: fc.nat(500),
  isLogged: fc.boolean(),
})
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never

function withLog(task: LedgerTask, { isLogged, day }: Request): LedgerTask {
  if (task.type !== 'settle') return task
  const { settlement } = task
  return {
    type: 'settle',
    settlement: { ...settlement, log: logOf(settlement.id), unlogged: !isLogged, at: day * daySeconds + 5 },
  }
}

/** What the ledger would write, commit for commit; requests of one commit run at one time. */
function decideAll(plan: readonly (readonly Request[])[]): StoredWrites[] {
  const money: [number, number][] = [
    [1, 5000],
    [2, 5000],
  ]
  const store = createStore(money, money)
  store.accounts.team.set(3, account({ balance: 5000 }))
  store.accounts.member.set(4, account({ unlimited: true }))
  let serial = 0
  return plan.map((requests) => {
    const running = requests.map((one) => ({ ...one, id: `request-${++serial}`, who: payers[one.payer] ?? {} }))
    store.commit(running.map(({ id, who, held, day }) => reserve(id, 0, held, { ...who, at: day * daySeconds })))
    const before: AccountsById = byKind((kind) => new Map(store.accounts[kind]))
    const { changes } = store.commit(
      running
        .filter(({ id }) => store.holds.has(id))
        .map((one) => withLog(settle(one.id, one.charge, one.who, one.day * daySeconds), one)),
    )
    return storedWrites(changes, before, [])
  })
}

const tables = ['users', 'tokens', 'teams', 'team_members', 'channels', 'ledger_entries', 'logs', 'unlogged_usage']

/** The tables as they are after it, which is undone. */
function after(sqlite: Sqlite, work: () => void): unknown {
  sqlite.run('begin')
  try {
    work()
    return tables.map((table) => sqlite.query(`select * from ${table} order by id`).all())
  } finally {
    sqlite.run('rollback')
  }
}

test('commits written together, or found in the journal, leave the tables as they do one by one', async () => {
  await database.exclusive((sqlite) => {
    const use = prepareStatements(sqlite)
    fc.assert(
      fc.property(fc.array(fc.array(request, { maxLength: 5 }), { maxLength: 8 }), (plan) => {
        const commits = decideAll(plan)
        const oneByOne = after(sqlite, () => {
          for (const writes of commits) save(use, writes)
        })
        expect(after(sqlite, () => save(use, mergeWrites(commits)))).toEqual(oneByOne)
        const records = commits.map((writes, at) => ({
          number: at + 1,
          rows: JSON.parse(JSON.stringify(journalRows(writes))),
        }))
        expect(after(sqlite, () => replayJournal(sqlite, { statements: journalStatements, records }))).toEqual(oneByOne)
      }),
      runs(150),
    )
  })
})

test('what tables might refuse, or JSON changes, is not for the journal', () => {
  const [writes] = decideAll([[{ payer: 1, day: 1, held: 100, charge: 50, isLogged: true }]])
  if (!writes) throw new Error('nothing was decided')
  const storable = (more: Partial<StoredWrites>) => isStorable(journalRows({ ...writes, ...more }))
  expect(storable({})).toBeTrue()
  expect(writes.logs.flat()).toContain(null)
  const [change] = writes.accounts
  if (!change) throw new Error('nobody was charged')
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, undefined, null, 5n, true] as never[]) {
    expect(storable({ accounts: [{ ...change, used: wrong }] })).toBeFalse()
    expect(storable({ channels: new Map([[7, wrong]]) })).toBeFalse()
    for (const rows of ['entries', 'logs'] as const)
      expect(storable({ [rows]: [writes[rows].flat().with(0, wrong)] })).toBeFalse()
  }
})
