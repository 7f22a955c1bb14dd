import type { Database as Sqlite } from 'bun:sqlite'
import type { SqliteDatabase } from '#server/db/database.ts'
import {
  admit,
  type Changes,
  type Decision,
  decide,
  type Hold,
  type Known,
  type Operation,
  type TokenBalance,
  type UserBalance,
} from './decide.ts'
import { groupCommit } from './group-commit.ts'
import type { HoldResult, Ledger } from './ledger.ts'

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
    read: sqlite.prepare('begin'),
    commit: sqlite.prepare('commit'),
    rollback: sqlite.prepare('rollback'),
    user: sqlite.prepare<{ quota: number; used_quota: number; request_count: number }, [number]>(
      'select quota, used_quota, request_count from users where id = ?',
    ),
    token: sqlite.prepare<
      { remain_quota: number; unlimited_quota: number; used_quota: number; accessed_time: number },
      [number]
    >('select remain_quota, unlimited_quota, used_quota, accessed_time from tokens where id = ?'),
    saveUser: sqlite.prepare('update users set quota = ?, used_quota = ?, request_count = ? where id = ?'),
    saveToken: sqlite.prepare('update tokens set remain_quota = ?, used_quota = ?, accessed_time = ? where id = ?'),
    saveChannel: sqlite.prepare('update channels set used_quota = used_quota + ? where id = ?'),
    insertEntry: sqlite.prepare(
      "insert into ledger_entries (user_id, token_id, kind, amount, token_amount, ref, created_at) values (?, ?, 'settle', ?, ?, ?, ?)",
    ),
    insertLog: sqlite.prepare(
      `insert into logs (${logColumns.join(', ')}) values (${logColumns.map(() => '?').join(', ')})`,
    ),
  }
}

type Statements = ReturnType<typeof prepare>

/** Holds of the running requests, with their sums by user and token. */
interface Holds {
  readonly open: Map<string, Hold & { readonly userId: number; readonly tokenId: number }>
  readonly byUser: Map<number, number>
  readonly byToken: Map<number, number>
}

function move(sums: Map<number, number>, id: number, amount: number): void {
  const sum = (sums.get(id) ?? 0) + amount
  if (sum === 0) sums.delete(id)
  else sums.set(id, sum)
}

/**
 * The ledger of the one process that serves a SQLite file. Holds live in its memory: nothing has to be written to keep two
 * requests from spending the same money, and a process that dies returns its holds by dying. Settlements are group-committed
 * to disk.
 */
export function sqliteLedger(database: SqliteDatabase): Ledger {
  const holds: Holds = { open: new Map(), byUser: new Map(), byToken: new Map() }
  let statements: Statements | null = null
  const withStatements = <Result>(work: (use: Statements) => Result): Promise<Result> =>
    database.exclusive((sqlite) => {
      statements ??= prepare(sqlite)
      return work(statements)
    })
  // Reads outside a transaction lock the file one by one, so requests that arrive together are admitted together.
  const admitting = groupCommit((operations) => withStatements((use) => admitAll(use, operations, holds)))
  const settling = groupCommit(
    (operations) => withStatements((use) => commit(use, operations, holds)),
    () => holds.open.size,
  )
  return {
    reserve: admitting.reserve,
    settle: settling.settle,
    drain: async () => {
      await admitting.drain()
      await settling.drain()
    },
    depth: settling.depth,
    heldInMemory: () => holds.open.size,
  }
}

function admitAll(use: Statements, operations: readonly Operation[], holds: Holds): Pick<Decision, 'results'> {
  use.read.run()
  try {
    const { users, tokens } = load(use, operations, holds)
    return { results: operations.map((operation) => reserve(operation, users, tokens, holds)) }
  } finally {
    use.commit.run()
  }
}

function reserve(operation: Operation, users: Known['users'], tokens: Known['tokens'], holds: Holds): HoldResult {
  if (operation.type !== 'reserve') throw new Error('only reservations are admitted')
  const { id, userId, tokenId } = operation.request
  const result = admit(operation.request, users.get(userId), tokens.get(tokenId))
  if (!result.ok) return result
  const hold = { userId, tokenId, amount: result.held, tokenAmount: result.tokenAmount ?? 0 }
  holds.open.set(id, hold)
  move(holds.byUser, userId, hold.amount)
  move(holds.byToken, tokenId, hold.tokenAmount)
  return { ok: true, held: result.held }
}

function readUser(use: Statements, id: number, { byUser }: Holds): UserBalance | undefined {
  const row = use.user.get(id)
  if (!row) return undefined
  return { quota: row.quota - (byUser.get(id) ?? 0), usedQuota: row.used_quota, requestCount: row.request_count }
}

function readToken(use: Statements, id: number, { byToken }: Holds): TokenBalance | undefined {
  const row = use.token.get(id)
  if (!row) return undefined
  const remain = row.remain_quota - (byToken.get(id) ?? 0)
  return { remain, unlimited: row.unlimited_quota === 1, usedQuota: row.used_quota, accessedTime: row.accessed_time }
}

function commit(use: Statements, operations: readonly Operation[], holds: Holds): Decision {
  use.begin.run()
  let decision: Decision
  try {
    decision = decide(operations, load(use, operations, holds))
    save(use, decision.changes, holds)
    use.commit.run()
  } catch (error) {
    use.rollback.run()
    throw error
  }
  for (const id of decision.changes.closedHolds) {
    const hold = holds.open.get(id)
    if (!hold) continue
    holds.open.delete(id)
    move(holds.byUser, hold.userId, -hold.amount)
    move(holds.byToken, hold.tokenId, -hold.tokenAmount)
  }
  return decision
}

function load(use: Statements, operations: readonly Operation[], holds: Holds): Known {
  const users = new Map<number, UserBalance>()
  const tokens = new Map<number, TokenBalance>()
  // Only this process opens holds and only a settlement closes them: without one, it has been settled before.
  const settled = new Set<string>()
  for (const operation of operations) {
    const { id, userId, tokenId } = operation.type === 'reserve' ? operation.request : operation.settlement
    if (!holds.open.has(id)) settled.add(id)
    const user = users.has(userId) ? undefined : readUser(use, userId, holds)
    if (user) users.set(userId, user)
    const token = tokens.has(tokenId) ? undefined : readToken(use, tokenId, holds)
    if (token) tokens.set(tokenId, token)
  }
  return { users, tokens, holds: holds.open, settled }
}

function save(use: Statements, changes: Changes, holds: Holds): void {
  const heldAfter = (sums: ReadonlyMap<number, number>, id: number, closed: ReadonlyMap<number, number>) =>
    (sums.get(id) ?? 0) - (closed.get(id) ?? 0)
  const closedByUser = new Map<number, number>()
  const closedByToken = new Map<number, number>()
  for (const id of changes.closedHolds) {
    const hold = holds.open.get(id)
    if (!hold) continue
    move(closedByUser, hold.userId, hold.amount)
    move(closedByToken, hold.tokenId, hold.tokenAmount)
  }
  for (const [id, user] of changes.users) {
    use.saveUser.run(user.quota + heldAfter(holds.byUser, id, closedByUser), user.usedQuota, user.requestCount, id)
  }
  for (const [id, token] of changes.tokens) {
    use.saveToken.run(
      token.remain + heldAfter(holds.byToken, id, closedByToken),
      token.usedQuota,
      token.accessedTime,
      id,
    )
  }
  for (const [id, paid] of changes.channels) use.saveChannel.run(paid, id)
  for (const entry of changes.entries) {
    use.insertEntry.run(entry.userId, entry.tokenId, entry.amount, entry.tokenAmount, entry.ref, entry.at)
  }
  for (const log of changes.logs) {
    use.insertLog.run(
      log.user_id,
      log.created_at,
      log.type,
      log.content,
      log.username,
      log.token_name,
      log.model_name,
      log.quota,
      log.prompt_tokens,
      log.completion_tokens,
      log.channel,
      log.request_id,
      log.duration_ms,
      log.first_byte_ms,
      log.is_stream,
      log.outcome,
      log.tried,
      log.detail,
    )
  }
}
