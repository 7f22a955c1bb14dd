import { sql } from 'kysely'
import type { Context } from '#server/context.ts'
import type { RateLimit } from '#server/process/config.ts'

export type RateLimitName = 'api' | 'web' | 'critical' | 'register'

/** Counts per client, shared by all nodes of one database. */
export interface RateLimiter {
  /** Counts one and returns whether it is within the limit. */
  allow(bucket: RateLimitName, client: string): Promise<boolean>
  /** The same without counting. */
  within(bucket: RateLimitName, client: string): Promise<boolean>
  /** Takes back one that was counted. */
  forgive(bucket: RateLimitName, client: string): Promise<void>
}

type Needs = Pick<Context, 'config' | 'database' | 'clock'>

export function createRateLimiter(ctx: Needs): RateLimiter {
  const limits: Record<RateLimitName, RateLimit | null> = {
    api: ctx.config.RATE_LIMIT_API,
    web: ctx.config.RATE_LIMIT_WEB,
    critical: ctx.config.RATE_LIMIT_CRITICAL,
    register: ctx.config.RATE_LIMIT_REGISTER,
  }
  const counter = ctx.database.engine === 'sqlite' ? countInMemory() : countInDatabase(ctx)
  const refused = createRefusals()
  const check = async (bucket: RateLimitName, client: string, add: Addition) => {
    const limit = limits[bucket]
    if (!limit) return true
    const window = Math.floor(ctx.clock() / 1000 / limit.seconds) * limit.seconds
    const key = `${bucket}:${client}`
    if (add === -1) refused.forget(key)
    else if (refused.has(key, window)) return false
    const count = await counter(key, window, limit.seconds, add)
    if (add === 1 && count > limit.count) refused.add(key, window)
    return add === 1 ? count <= limit.count : count < limit.count
  }
  return {
    allow: (bucket, client) => check(bucket, client, 1),
    within: (bucket, client) => check(bucket, client, 0),
    forgive: async (bucket, client) => void (await check(bucket, client, -1)),
  }
}

/** Who was refused in a window is refused until its end without being counted any more. */
function createRefusals() {
  const windows = new Map<string, number>()
  return {
    has: (key: string, window: number): boolean => windows.get(key) === window,
    forget: (key: string): void => void windows.delete(key),
    add(key: string, window: number): void {
      windows.delete(key)
      windows.set(key, window)
      const oldest = windows.size > bucketsMax ? windows.keys().next().value : undefined
      if (oldest !== undefined) windows.delete(oldest)
    },
  }
}

type Addition = 0 | 1 | -1
type Counter = (bucket: string, window: number, seconds: number, add: Addition) => number | Promise<number>

const bucketsMax = 100_000

/** One process owns a SQLite file, so its memory is shared enough. */
function countInMemory(): Counter {
  const counts = new Map<string, { window: number; count: number }>()
  return (bucket, window, _seconds, add) => {
    const entry = counts.get(bucket)
    const count = (entry?.window === window ? entry.count : 0) + add
    if (add === 0) return count
    // Buckets are kept in the order their windows began, so that the oldest are dropped first.
    if (entry?.window !== window) counts.delete(bucket)
    counts.set(bucket, { window, count })
    const stalest = counts.size > bucketsMax ? counts.keys().next().value : undefined
    if (stalest !== undefined) counts.delete(stalest)
    return count
  }
}

function countInDatabase({ database }: Needs): Counter {
  return async (bucket, window, _seconds, add) => {
    if (add === 0) {
      const row = await database.db
        .selectFrom('rate_windows')
        .select('count')
        .where('bucket', '=', bucket)
        .where('window', '=', window)
        .executeTakeFirst()
      return row?.count ?? 0
    }
    const row = await database.db
      .insertInto('rate_windows')
      .values({ bucket, window, count: add })
      .onConflict((conflict) =>
        conflict.columns(['bucket', 'window']).doUpdateSet({ count: sql`rate_windows.count + ${add}` }),
      )
      .returning('count')
      .executeTakeFirstOrThrow()
    return row.count
  }
}
