import { type Context, epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { isDatabaseGone } from '#server/db/database-gone.ts'
import { continueNumbering } from '#server/db/numbering.ts'
import { transact } from '#server/db/transact.ts'
import { roles } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'
import type { ForeignReader } from './form.ts'
import type { ProgramName } from './program.ts'
import type { Report } from './report.ts'
import { ImportRefused, SourceLost, sourceLost } from './source/source.ts'
import { storeChannels } from './store/channels.ts'
import { storeCodes } from './store/codes.ts'
import { storeLogs } from './store/logs.ts'
import { storeOptions } from './store/options.ts'
import { type ImportRun, nothingGone } from './store/run.ts'
import { nothingSeen, type Seen } from './store/seen.ts'
import { clearBuiltInRoot, inspectTarget, lastEntry, type Marker, writeMarker } from './store/target.ts'
import { storeTokens } from './store/tokens.ts'
import { storeTopUps } from './store/top-ups.ts'
import { storeUsers } from './store/users.ts'

export type ImportTarget = Pick<Context, 'database' | 'changes' | 'nodeId' | 'secrets' | 'clock'>

/** What is taken over, from where, and what is said about it. */
export interface Import {
  readonly program: ProgramName
  readonly reader: ForeignReader
  readonly report: Report
  readonly seen?: Seen
  /** Its program goes on writing, and is followed. */
  readonly isLive?: boolean
}

/** Accounts, tokens, channels, codes and options in one transaction: all of it or nothing. */
export async function importBooks(target: ImportTarget, work: Import): Promise<Marker> {
  const { program, reader, report, seen, isLive = false } = work
  const at = epochSeconds(target)
  return transact(target, async (tx, announce) => {
    const state = await inspectTarget(tx)
    if (state.kind === 'imported') return sameProgram(state.marker, program)
    if (state.kind === 'used') {
      throw new ImportRefused('The database is in use: it has more than the first account. Import into a fresh one.')
    }
    if (state.builtInRoot !== null) {
      const replaced = await hasUser(reader, state.builtInRoot)
      await clearBuiltInRoot(tx, state.builtInRoot, { replaced, at })
    }
    const common = { tx, reader, report, at, secrets: target.secrets, gone: nothingGone() }
    await storeBooks({ ...common, seen: seen ?? nothingSeen, round: '' })
    await refuseWithoutRoot(tx)
    if (target.database.engine === 'postgres') await continueNumbering(tx)
    const logsUntil = await (isLive ? reader.settledLog() : reader.lastLog())
    const marker = { at, logsUntil, program, ledgerUntil: await lastEntry(tx) }
    await writeMarker(tx, marker)
    announce({ topic: 'everything' })
    return marker
  })
}

/** What one program left to do is not done with the rows of another. */
export function sameProgram(marker: Marker, program: ProgramName): Marker {
  if (marker.program === '' || marker.program === program) return marker
  throw new ImportRefused(
    `This database has had its import, from ${marker.program}; the source is of ${program}. Import it into a fresh one.`,
  )
}

/** Everything but the log rows, in the order in which it leans on each other. */
export async function storeBooks(run: ImportRun): Promise<void> {
  await storeUsers(run)
  await storeTokens(run)
  await storeChannels(run)
  await storeCodes(run)
  await storeTopUps(run)
  await storeOptions(run)
}

/** The whole import. Running it again changes nothing, but for log rows an interruption left behind. */
export async function importDatabase(target: ImportTarget, work: Import): Promise<void> {
  const { logsUntil } = await importBooks(target, work).catch(lost('Nothing was written.'))
  await work.reader.release().catch(() => {})
  const logs = { db: target.database.db, reader: work.reader, report: work.report, until: logsUntil }
  await storeLogs(logs).catch(lost('All but the rest of the log rows is taken over: run the same command again.'))
  // A run that took nothing over repeats one that has reported this already.
  if (Object.keys(work.report.facts().counts).length === 0) return
  const stayed = await work.reader
    .leftOut()
    .catch(lost('Everything is taken over; what has no place here was not counted.'))
  for (const left of stayed) work.report.leaveOut(left)
}

/** Whether it has a living account of this number. */
async function hasUser(reader: ForeignReader, wanted: number): Promise<boolean> {
  for await (const page of reader.users()) {
    const found = page.find(({ id }) => id >= wanted)
    if (found) return found.id === wanted && !found.isDeleted
  }
  return false
}

async function refuseWithoutRoot(tx: Tx): Promise<void> {
  const root = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '>=', roles.root)
    .where('status', '=', userStatus.activated)
    .executeTakeFirst()
  if (!root) throw new ImportRefused('The source has no enabled super administrator: nobody could administer it.')
}

/** Says what a lost connection means for the target. */
export const lost =
  (consequence: string) =>
  (error: unknown): never => {
    if (error instanceof SourceLost) throw new ImportRefused(sourceLost(error, consequence), { cause: error })
    if (!isDatabaseGone(error)) throw error
    // Whether the commit arrived is unknown, so the message says nothing about it.
    const reason = error instanceof Error ? error.message : String(error)
    throw new ImportRefused(
      `The database of this server cannot be written to: ${reason}. Run the same command again, it takes nothing over twice.`,
      { cause: error },
    )
  }
