import type { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { redactedFault } from '#server/relay/routing/redacted-fault.ts'
import type { TestProgress } from '#shared/api/channels.ts'
import type { TestResult } from './channel-test.ts'

export type Progress = z.output<typeof TestProgress>

const key = 'channel-tests'
/** A run without a sign of life for this long has died with its node. */
const staleAfterSeconds = 600

export async function saveTest(db: Db, id: number, { seconds, fault }: TestResult, at: number): Promise<void> {
  const result = { response_time: Math.round(seconds * 1000), test_fault: fault ? redactedFault(fault) : '' }
  await db
    .updateTable('channels')
    .set({ ...result, test_time: at })
    .where('id', '=', id)
    .execute()
}

export async function saveBalance(db: Db, id: number, balance: number, at: number): Promise<void> {
  await db.updateTable('channels').set({ balance, balance_updated_time: at }).where('id', '=', id).execute()
}

const readStored = (db: Db) => db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()

function progressOf(stored: { value: string } | undefined, now: number): Progress {
  if (!stored) return { running: false, total: 0, done: 0, failed: 0 }
  const { at, ...progress } = JSON.parse(stored.value) as Progress & { at: number }
  return { ...progress, running: progress.running && now - at < staleAfterSeconds }
}

export const readProgress = async (db: Db, now: number): Promise<Progress> => progressOf(await readStored(db), now)

/** Begins a run, unless one is under way. Of any number of callers at once, on any node, one begins it. */
export async function claimRun(db: Db, total: number, at: number): Promise<boolean> {
  const stored = await readStored(db)
  if (progressOf(stored, at).running) return false
  const value = JSON.stringify({ running: true, total, done: 0, failed: 0, at })
  const written = stored
    ? db.updateTable('meta').set({ value }).where('key', '=', key).where('value', '=', stored.value).returning('key')
    : db
        .insertInto('meta')
        .values({ key, value })
        .onConflict((conflict) => conflict.doNothing())
        .returning('key')
  return (await written.executeTakeFirst()) !== undefined
}

export async function saveProgress(db: Db, progress: Progress, at: number): Promise<void> {
  const value = JSON.stringify({ ...progress, at })
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
