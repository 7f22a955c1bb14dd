import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import { reading } from '#server/db/reading.ts'
import { attemptsIn, type Sums } from '#server/db/usage/cells.ts'
import { letIn } from '#server/db/usage/filter.ts'
import type { UsageQuestion } from '#server/db/usage/parts.ts'
import { prepare, readCells, readSums } from '#server/db/usage/read.ts'
import { percentile, sumOf } from '#server/db/usage/times.ts'
import type { hourStates } from '#shared/api/models.ts'

export const readUserGroups = (db: Db, id: number) =>
  db.selectFrom('users').select('group').where('id', '=', id).executeTakeFirst()

export const readTokenReach = (db: Db, id: number) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.models', 'tokens.group as tokenGroup', 'users.group'])
    .where('tokens.id', '=', id)
    .executeTakeFirst()

/** How requests fared by model, or by channel all attempts on it. */
export interface Performance {
  readonly requests: number
  readonly failed: number
  readonly firstByteP50: number | null
  readonly firstByteP95: number | null
  /** Written by the model, the wait for the first one included. */
  readonly tokensPerSecond: number | null
}

const speedOf = (tokens: number, milliseconds: number): number | null =>
  tokens > 0 && milliseconds > 0 ? Math.round((tokens / milliseconds) * 10_000) / 10 : null

/** Of a stretch of time, by what is asked for. */
export const readPerformance = (
  ctx: Pick<Context, 'database'>,
  { from, to }: { readonly from: number; readonly to: number },
  question: Pick<UsageQuestion, 'filter'> & { readonly by: 'channel' | 'model_name' },
): Promise<Map<string | number, Performance>> =>
  reading(ctx, async (tx) => {
    const prepared = await prepare(tx, {
      by: question.by,
      filter: [...question.filter, ...letIn],
      buckets: [{ from, to }],
    })
    const cellOf = await readCells(tx, prepared)
    const rows = await readSums(tx, prepared)
    return new Map(
      rows.map(({ bucket, key, completion_tokens, ...sums }) => {
        const { made: requests, failed } = attemptsIn({ ...sums, completion_tokens })
        const { firstByte, duration } = cellOf(bucket, key)
        const at = (share: number) => percentile(firstByte, share)
        const tokensPerSecond = speedOf(completion_tokens, sumOf(duration))
        return [key, { requests, failed, firstByteP50: at(0.5), firstByteP95: at(0.95), tokensPerSecond }]
      }),
    )
  })

type HourState = (typeof hourStates)[number]

const hourSeconds = 3600
const hoursShown = 24
/** One in ten requests failed. */
const failing = 0.1

/** How each model fared hour by hour up to a time. */
export const readHours = (ctx: Pick<Context, 'database'>, to: number): Promise<(model: string) => HourState[]> =>
  reading(ctx, async (tx) => {
    const end = Math.ceil(to / hourSeconds) * hourSeconds
    const buckets = Array.from({ length: hoursShown }, (_, at) => {
      const from = end - (hoursShown - at) * hourSeconds
      return { from, to: from + hourSeconds }
    })
    const rows = await readSums(tx, await prepare(tx, { filter: letIn, buckets, by: 'model_name' }))
    const states = new Map<string, HourState[]>()
    for (const { bucket, key, requests, failed } of rows) {
      const hours = states.get(String(key)) ?? buckets.map((): HourState => 'none')
      if (requests > 0) hours[bucket] = failed / requests >= failing ? 'failing' : 'ok'
      states.set(String(key), hours)
    }
    return (model) => states.get(model) ?? buckets.map((): HourState => 'none')
  })

/** The requests of one model by callers of one group. */
export interface Traffic extends Sums {
  readonly model: string
  readonly group: string
}

export const readTraffic = (ctx: Pick<Context, 'database'>, from: number, to: number): Promise<Traffic[]> =>
  reading(ctx, async (tx) => {
    const buckets = [{ from, to }]
    const groups = await readSums(tx, await prepare(tx, { filter: letIn, buckets, by: 'group' }))
    const traffic: Traffic[] = []
    for (const { key } of groups) {
      const filter = [{ column: 'group' as const, values: [String(key)], leaveOut: false }, ...letIn]
      const rows = await readSums(tx, await prepare(tx, { filter, buckets, by: 'model_name' }))
      traffic.push(...rows.map((row) => ({ ...row, model: String(row.key), group: String(key) })))
    }
    return traffic
  })
