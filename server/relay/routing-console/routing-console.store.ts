import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import { reading } from '#server/db/reading.ts'
import type { Sums } from '#server/db/usage/cells.ts'
import { prepare, readSums, readUsageTimes, type UsageQuestion } from '#server/db/usage/read.ts'
import { percentile } from '#server/db/usage/times.ts'

export const readUserGroups = (db: Db, id: number) =>
  db.selectFrom('users').select('group').where('id', '=', id).executeTakeFirst()

export const readTokenReach = (db: Db, id: number) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.models', 'tokens.group as tokenGroup', 'users.group'])
    .where('tokens.id', '=', id)
    .executeTakeFirst()

/** How requests fared, by channel or by model. */
export interface Fared {
  readonly requests: number
  readonly failed: number
  readonly firstByteP50: number | null
}

/** Of a stretch of time, by what is asked for. */
export const readFared = (
  ctx: Pick<Context, 'database'>,
  { from, to }: { readonly from: number; readonly to: number },
  question: Pick<UsageQuestion, 'filter'> & { readonly by: 'channel' | 'model_name' },
): Promise<Map<string | number, Fared>> =>
  reading(ctx, async (tx) => {
    const prepared = await prepare(tx, { ...question, buckets: [{ from, to }] })
    const times = await readUsageTimes(tx, prepared)
    const rows = await readSums(tx, prepared)
    return new Map(
      rows.map(({ bucket, key, requests, failed }) => [
        key,
        { requests, failed, firstByteP50: percentile(times(bucket, key).firstByte, 0.5) },
      ]),
    )
  })

/** The requests of one model by callers of one group. */
export interface Traffic extends Sums {
  readonly model: string
  readonly group: string
}

export const readTraffic = (ctx: Pick<Context, 'database'>, from: number, to: number): Promise<Traffic[]> =>
  reading(ctx, async (tx) => {
    const buckets = [{ from, to }]
    const groups = await readSums(tx, await prepare(tx, { filter: [], buckets, by: 'group' }))
    const traffic: Traffic[] = []
    for (const { key } of groups) {
      const filter = [{ column: 'group' as const, values: [String(key)], leaveOut: false }]
      const rows = await readSums(tx, await prepare(tx, { filter, buckets, by: 'model_name' }))
      traffic.push(...rows.map((row) => ({ ...row, model: String(row.key), group: String(key) })))
    }
    return traffic
  })
