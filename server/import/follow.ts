import { epochSeconds } from '#server/context.ts'
import { continueNumbering } from '#server/db/numbering.ts'
import { transact } from '#server/db/transact.ts'
import type { ForeignReader } from './form.ts'
import { type ImportTarget, storeBooks } from './import-database.ts'
import type { Report } from './report.ts'
import { ImportRefused } from './source/source.ts'
import { storeLogs } from './store/logs.ts'
import { type ImportRun, nothingGone } from './store/run.ts'
import type { Seen } from './store/seen.ts'
import { hasServed, inspectTarget } from './store/target.ts'

/** A balance that is not the same on both sides. */
export interface Difference {
  readonly what: 'user' | 'token'
  readonly id: number
  readonly there: number | null
  readonly here: number
}

interface Round {
  readonly reader: ForeignReader
  readonly report: Report
  /** What earlier rounds have stored: only what differs is written. */
  readonly seen: Seen
  readonly number: number
  /** Whether its program has stopped, so that everything is there to be read. */
  readonly isLast: boolean
}

/** Takes over what was added or changed since the round before, all of it or nothing. */
export async function followRound(
  target: ImportTarget,
  { reader, report, seen, number, isLast }: Round,
): Promise<void> {
  const at = epochSeconds(target)
  await transact(target, async (tx, announce) => {
    const state = await inspectTarget(tx)
    if (state.kind !== 'imported') throw new ImportRefused('There is no import to follow.')
    if (await hasServed(tx, state.marker))
      throw new ImportRefused(
        'This server has worked with the balances since they were taken over: following would undo it.',
      )
    const common = { tx, reader, report, at, secrets: target.secrets, gone: nothingGone() }
    const run: ImportRun = { ...common, seen, round: `:${at}.${number}` }
    await storeBooks(run)
    if (target.database.engine === 'postgres') await continueNumbering(tx)
    announce({ topic: 'everything' })
  })
  const until = await (isLast ? reader.lastLog() : reader.settledLog())
  await reader.release()
  await storeLogs({ db: target.database.db, reader, report, until })
}

/** Balances that are not the same on both sides, to the unit. */
export async function differencesOf(
  { database: { db } }: Pick<ImportTarget, 'database'>,
  reader: ForeignReader,
): Promise<Difference[]> {
  const differences: Difference[] = []
  for await (const page of reader.users()) {
    const living = page.filter(({ isDeleted }) => !isDeleted)
    const ids = living.map(({ id }) => id)
    const rows =
      ids.length === 0 ? [] : await db.selectFrom('users').select(['id', 'quota']).where('id', 'in', ids).execute()
    const here = new Map(rows.map(({ id, quota }) => [id, quota]))
    for (const { id, quota } of living)
      if (here.get(id) !== quota) differences.push({ what: 'user', id, there: quota, here: here.get(id) ?? 0 })
  }
  for await (const page of reader.tokens()) {
    const living = page.filter(({ isDeleted, isUnlimited }) => !isDeleted && !isUnlimited)
    const ids = living.map(({ id }) => id)
    const rows =
      ids.length === 0
        ? []
        : await db.selectFrom('tokens').select(['id', 'remain_quota as quota']).where('id', 'in', ids).execute()
    const here = new Map(rows.map(({ id, quota }) => [id, quota]))
    // Tokens of deleted users are not here.
    for (const { id, remainQuota } of living)
      if (here.has(id) && here.get(id) !== remainQuota)
        differences.push({ what: 'token', id, there: remainQuota, here: here.get(id) ?? 0 })
  }
  return differences
}
