import type { Database as Sqlite } from 'bun:sqlite'
import { logColumnNames } from '#server/db/log-columns.ts'
import type { Changes, Known } from './decide.ts'
import type { Stored } from './sqlite-accounts.ts'

export type Statements = ReturnType<typeof prepareStatements>

/** What the ledger says to its file, prepared once. */
export function prepareStatements(sqlite: Sqlite) {
  const rollback = sqlite.prepare('rollback')
  return {
    begin: sqlite.prepare('begin immediate'),
    commit: sqlite.prepare('commit'),
    /** Never throws: whoever gives up has an error worth more. A full or failing disk has ended the transaction already. */
    giveUp() {
      try {
        if (sqlite.inTransaction) rollback.run()
      } catch {}
    },
    /** Changes when another process has written. */
    version: sqlite.prepare<{ data_version: number }, []>('pragma data_version'),
    user: sqlite.prepare<{ quota: number; used_quota: number; request_count: number }, [number]>(
      'select quota, used_quota, request_count from users where id = ?',
    ),
    token: sqlite.prepare<
      { remain_quota: number; unlimited_quota: number; used_quota: number; accessed_time: number },
      [number]
    >('select remain_quota, unlimited_quota, used_quota, accessed_time from tokens where id = ?'),
    chargeUser: sqlite.prepare(
      'update users set quota = quota - ?1, used_quota = used_quota + ?1, request_count = request_count + ?2 where id = ?3',
    ),
    chargeToken: sqlite.prepare(
      'update tokens set remain_quota = remain_quota - ?1, used_quota = used_quota + ?2, accessed_time = ?3 where id = ?4',
    ),
    chargeChannel: sqlite.prepare('update channels set used_quota = used_quota + ? where id = ?'),
    insertEntry: sqlite.prepare(
      "insert into ledger_entries (user_id, token_id, kind, amount, token_amount, ref, created_at) values (?, ?, 'settle', ?, ?, ?, ?)",
    ),
    insertLog: sqlite.prepare(
      `insert into logs (${logColumnNames.map((name) => `"${name}"`).join(', ')}) values (${logColumnNames.map(() => '?').join(', ')})`,
    ),
  }
}

export const storedBalances = (use: Statements): Stored => ({
  user(id) {
    const row = use.user.get(id)
    return row ? { quota: row.quota, usedQuota: row.used_quota, requestCount: row.request_count } : undefined
  },
  token(id) {
    const row = use.token.get(id)
    if (!row) return undefined
    return {
      remain: row.remain_quota,
      unlimited: row.unlimited_quota === 1,
      usedQuota: row.used_quota,
      accessedTime: row.accessed_time,
    }
  },
})

/** Writes what was decided as differences, so that what is stored never depends on what was remembered. */
export function save(use: Statements, changes: Changes, known: Pick<Known, 'users' | 'tokens'>): void {
  for (const [id, user] of changes.users) {
    const before = known.users.get(id)
    const paid = user.usedQuota - (before?.usedQuota ?? 0)
    use.chargeUser.run(paid, user.requestCount - (before?.requestCount ?? 0), id)
  }
  const fromTokens = new Map<number, number>()
  for (const { tokenId, tokenAmount } of changes.entries)
    fromTokens.set(tokenId, (fromTokens.get(tokenId) ?? 0) - tokenAmount)
  for (const [id, token] of changes.tokens) {
    const paid = token.usedQuota - (known.tokens.get(id)?.usedQuota ?? 0)
    use.chargeToken.run(fromTokens.get(id) ?? 0, paid, token.accessedTime, id)
  }
  for (const [id, paid] of changes.channels) use.chargeChannel.run(paid, id)
  for (const entry of changes.entries) {
    use.insertEntry.run(entry.userId, entry.tokenId, entry.amount, entry.tokenAmount, entry.ref, entry.at)
  }
  for (const log of changes.logs) use.insertLog.run(...logColumnNames.map((name) => log[name]))
}
