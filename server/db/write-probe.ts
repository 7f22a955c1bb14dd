import { statfsSync } from 'node:fs'
import type { AnyDatabase } from './database.ts'

/** Tests whether the database can write. */
export interface WriteProbe {
  /** Something was written a moment ago and there is room for more, or it will be written before it matters. */
  isFresh(): boolean
  worked(): void
  failed(): void
  /** Writes something small when nothing was of late. Throws what the database says when it cannot. */
  require(): Promise<void>
}

const freshMs = 2000
const probeKey = 'write_probe'

/**
 * A disk may be full or read-only while everything can still be read. Those who ask at one moment share one try. On PostgreSQL the
 * hold of a request is written before anything is asked of anybody: that is try enough.
 */
export function createWriteProbe(database: AnyDatabase): WriteProbe {
  const { probe, engine } = database
  const hasRoom = roomOf(database)
  let workedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | null = null
  const worked = () => {
    workedAt = performance.now()
  }
  const isFresh = () => performance.now() - workedAt < freshMs && hasRoom()
  const write = async () => {
    if (!hasRoom()) throw Object.assign(new Error('the disk of the database is full'), { code: 'SQLITE_FULL' })
    const value = String(Date.now())
    await probe
      .insertInto('meta')
      .values({ key: probeKey, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
    worked()
  }
  return {
    isFresh: engine === 'postgres' ? () => true : isFresh,
    worked,
    failed() {
      workedAt = Number.NEGATIVE_INFINITY
    },
    async require() {
      if (isFresh()) return
      running ??= write().finally(() => {
        running = null
      })
      await running
    },
  }
}

/** What running requests may still have to write: a row overwritten in its place says nothing about it. */
const reserveBytes = 1024 * 1024
const lookEveryMs = 100

function roomOf(database: AnyDatabase): () => boolean {
  const folder = database.engine === 'sqlite' ? database.folder : null
  if (folder === null) return () => true
  let lookedAt = Number.NEGATIVE_INFINITY
  let isRoomy = true
  return () => {
    const now = performance.now()
    if (now - lookedAt < lookEveryMs) return isRoomy
    lookedAt = now
    isRoomy = freeBytes(folder) >= reserveBytes
    return isRoomy
  }
}

/** A file system that reports no free space counts as having room. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
