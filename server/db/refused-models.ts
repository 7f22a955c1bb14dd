import { sql } from 'kysely'
import { daySeconds } from '#server/lib/time/day.ts'
import type { Db } from './database.ts'

/** Requests refused for want of a price stand among the rate windows, which are kept for a day. */
const prefix = 'unpriced:'
const windowSeconds = 900

export async function addRefused(db: Db, counts: ReadonlyMap<string, number>, now: number): Promise<void> {
  const window = Math.floor(now / windowSeconds) * windowSeconds
  await db
    .insertInto('rate_windows')
    .values([...counts].map(([model, count]) => ({ bucket: prefix + model, window, count })))
    .onConflict((conflict) =>
      conflict.columns(['bucket', 'window']).doUpdateSet({ count: sql`rate_windows.count + excluded.count` }),
    )
    .execute()
}

/** By model, how many were refused in the last 24 hours. */
export async function readRefused(db: Db, now: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('rate_windows')
    .select(['bucket', 'count'])
    .where('bucket', 'like', `${prefix}%`)
    .where('window', '>', now - daySeconds)
    .execute()
  const refused = new Map<string, number>()
  for (const { bucket, count } of rows) {
    const model = bucket.slice(prefix.length)
    refused.set(model, (refused.get(model) ?? 0) + count)
  }
  return refused
}
