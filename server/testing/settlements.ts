import { book } from '#server/billing/ledger/book.ts'
import type { HoldRequest, RequestLog, Settlement } from '#server/billing/ledger/ledger.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import { emptyLogRow } from '#server/db/logs/log-columns.ts'
import { logType } from '#shared/statuses.ts'

/** The first account and a token of it. */
export const payer = { userId: 1, tokenId: 1, teamId: 0, memberId: 0 } as const

let serial = 0

/** Gives the first account a token and this balance. */
export async function createPayer(db: Db, quota: number): Promise<void> {
  const row = { key_sealed: '', key_hash: 'none', models: '', subnet: '', name: 'test', status: 1, expired_time: -1 }
  const counts = { created_time: 0, accessed_time: 0, remain_quota: 0, unlimited_quota: 1, used_quota: 0 }
  await db
    .insertInto('tokens')
    .values({ id: payer.tokenId, user_id: payer.userId, ...row, ...counts })
    .execute()
  await setQuota(db, quota)
}

export const quotaOf = async (db: Db): Promise<number> =>
  (await db.selectFrom('users').select('quota').where('id', '=', payer.userId).executeTakeFirstOrThrow()).quota

export async function setQuota(db: Db, quota: number): Promise<void> {
  const amount = quota - (await quotaOf(db))
  await db
    .transaction()
    .execute((tx) => book(tx, { userId: payer.userId, kind: 'admin', amount, ref: `set-${++serial}`, at: 0 }))
}

export const holdOf = (amount: number, id = `request-${++serial}`): HoldRequest => ({
  id,
  ...payer,
  least: amount,
  wanted: amount,
  at: 1,
  limits: null,
})

export const closing = (id: string, charge: number, log: RequestLog | null = null): Settlement => ({
  id,
  ...payer,
  charge,
  channelId: 0,
  counts: true,
  log,
  at: 1,
  admittedAt: 1,
  corrections: [],
})

export const logOf = (requestId: string, more: Partial<RequestLog> = {}): RequestLog => ({
  ...emptyLogRow,
  user_id: payer.userId,
  token_id: payer.tokenId,
  type: logType.consumption,
  created_at: 1,
  username: 'root',
  token_name: 'test',
  model_name: 'gpt-4o',
  request_id: requestId,
  prompt_tokens: 3,
  completion_tokens: 2,
  outcome: 'done',
  ...more,
})

/** A request from its hold to its row. Returns its id. */
export async function payOnce({ ledger }: Pick<Context, 'ledger'>, charge: number): Promise<string> {
  const request = holdOf(charge)
  await ledger.reserve(request)
  await ledger.settle(closing(request.id, charge, logOf(request.id)))
  return request.id
}
