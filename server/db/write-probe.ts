import type { AnyDatabase } from './database.ts'

/** Knows whether what happens can be written down. */
export interface WriteProbe {
  /** Something was written a moment ago, or will be before it matters. */
  isFresh(): boolean
  worked(): void
  /** Writes something small when nothing was of late. Throws what the database says when it cannot. */
  require(): Promise<void>
}

const freshMs = 2000
const probeKey = 'write_probe'

/**
 * A disk may be full or read-only while everything can still be read. Those who ask at one moment share one try. On PostgreSQL the
 * hold of a request is written before anything is asked of anybody: that is try enough.
 */
export function createWriteProbe({ db, engine }: Pick<AnyDatabase, 'db' | 'engine'>): WriteProbe {
  let workedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | null = null
  const worked = () => {
    workedAt = performance.now()
  }
  const isFresh = () => performance.now() - workedAt < freshMs
  const write = async () => {
    const value = String(Date.now())
    await db
      .insertInto('meta')
      .values({ key: probeKey, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
    worked()
  }
  return {
    isFresh: engine === 'postgres' ? () => true : isFresh,
    worked,
    async require() {
      if (isFresh()) return
      running ??= write().finally(() => {
        running = null
      })
      await running
    },
  }
}
