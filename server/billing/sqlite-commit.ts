import type { Database as Sqlite, Statement } from 'bun:sqlite'
import type { SqliteDatabase } from '#server/db/database.ts'
import { type Changes, type Decision, decide, type Hold, type Known, type Operation } from './decide.ts'

const logColumns = [
  'user_id',
  'created_at',
  'type',
  'content',
  'username',
  'token_name',
  'model_name',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'channel',
  'request_id',
  'duration_ms',
  'first_byte_ms',
  'is_stream',
  'outcome',
  'tried',
  'detail',
] as const

function prepare(sqlite: Sqlite) {
  return {
    begin: sqlite.prepare('begin immediate'),
    commit: sqlite.prepare('commit'),
    rollback: sqlite.prepare('rollback'),
    user: sqlite.prepare<{ quota: number; used_quota: number; request_count: number }, [number]>(
      'select quota, used_quota, request_count from users where id = ?',
    ),
    token: sqlite.prepare<
      { remain_quota: number; unlimited_quota: number; used_quota: number; accessed_time: number },
      [number]
    >('select remain_quota, unlimited_quota, used_quota, accessed_time from tokens where id = ?'),
    hold: sqlite.prepare<{ amount: number; token_amount: number }, [string]>(
      'select amount, token_amount from holds where id = ?',
    ),
    entry: sqlite.prepare<{ found: number }, [string]>('select 1 as found from ledger_entries where ref = ?'),
    saveUser: sqlite.prepare('update users set quota = ?, used_quota = ?, request_count = ? where id = ?'),
    saveToken: sqlite.prepare('update tokens set remain_quota = ?, used_quota = ?, accessed_time = ? where id = ?'),
    saveChannel: sqlite.prepare('update channels set used_quota = used_quota + ? where id = ?'),
    insertHold: sqlite.prepare(
      'insert into holds (id, user_id, token_id, amount, token_amount, node_id, created_at) values (?, ?, ?, ?, ?, ?, ?)',
    ),
    deleteHold: sqlite.prepare('delete from holds where id = ?'),
    insertEntry: sqlite.prepare(
      "insert into ledger_entries (user_id, token_id, kind, amount, token_amount, ref, created_at) values (?, ?, 'settle', ?, ?, ?, ?)",
    ),
    insertLog: sqlite.prepare(
      `insert into logs (${logColumns.join(', ')}) values (${logColumns.map(() => '?').join(', ')})`,
    ),
  } satisfies Record<string, Statement<unknown, never[]> | Statement>
}

type Statements = ReturnType<typeof prepare>

/** Commits a batch in one synchronous transaction; the write-ahead log is on disk when it returns. */
export function sqliteCommit(
  database: SqliteDatabase,
  nodeId: string,
): (operations: readonly Operation[]) => Promise<Decision> {
  let statements: Statements | null = null
  return (operations) =>
    database.exclusive((sqlite) => {
      statements ??= prepare(sqlite)
      const use = statements
      use.begin.run()
      try {
        const decision = decide(operations, load(use, operations))
        save(use, decision.changes, nodeId)
        use.commit.run()
        return decision
      } catch (error) {
        use.rollback.run()
        throw error
      }
    })
}

function load(use: Statements, operations: readonly Operation[]): Known {
  const users = new Map<number, Known['users'] extends ReadonlyMap<number, infer Row> ? Row : never>()
  const tokens = new Map<number, Known['tokens'] extends ReadonlyMap<number, infer Row> ? Row : never>()
  const holds = new Map<string, Hold>()
  const settled = new Set<string>()
  for (const operation of operations) {
    const { id, userId, tokenId } = operation.type === 'reserve' ? operation.request : operation.settlement
    if (!users.has(userId)) {
      const row = use.user.get(userId)
      if (row) users.set(userId, { quota: row.quota, usedQuota: row.used_quota, requestCount: row.request_count })
    }
    if (!tokens.has(tokenId)) {
      const row = use.token.get(tokenId)
      if (row) {
        tokens.set(tokenId, {
          remain: row.remain_quota,
          unlimited: row.unlimited_quota === 1,
          usedQuota: row.used_quota,
          accessedTime: row.accessed_time,
        })
      }
    }
    if (operation.type === 'reserve') continue
    const hold = use.hold.get(id)
    if (hold) holds.set(id, { amount: hold.amount, tokenAmount: hold.token_amount })
    else if (use.entry.get(id)) settled.add(id)
  }
  return { users, tokens, holds, settled }
}

function save(use: Statements, changes: Changes, nodeId: string): void {
  for (const [id, user] of changes.users) use.saveUser.run(user.quota, user.usedQuota, user.requestCount, id)
  for (const [id, token] of changes.tokens) use.saveToken.run(token.remain, token.usedQuota, token.accessedTime, id)
  for (const [id, paid] of changes.channels) use.saveChannel.run(paid, id)
  for (const hold of changes.newHolds) {
    use.insertHold.run(hold.id, hold.userId, hold.tokenId, hold.amount, hold.tokenAmount, nodeId, hold.at)
  }
  for (const id of changes.closedHolds) use.deleteHold.run(id)
  for (const entry of changes.entries) {
    use.insertEntry.run(entry.userId, entry.tokenId, entry.amount, entry.tokenAmount, entry.ref, entry.at)
  }
  for (const log of changes.logs) use.insertLog.run(...logColumns.map((column) => log[column]))
}
