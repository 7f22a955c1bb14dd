import { type Context, epochSeconds } from '#server/context.ts'
import { continueNumbering } from '#server/db/numbering.ts'
import { transact } from '#server/db/transact.ts'
import { roles } from '#shared/roles.ts'
import { userStatus } from '#shared/statuses.ts'
import { importChannels } from './import-channels.ts'
import { importLogs } from './import-logs.ts'
import { importOptions } from './import-options.ts'
import { importRedemptions } from './import-redemptions.ts'
import type { ImportRun } from './import-run.ts'
import { importTokens } from './import-tokens.ts'
import { deletedStatus, importUsers } from './import-users.ts'
import type { Report } from './report.ts'
import type { Source } from './source.ts'
import { clearBuiltInRoot, inspectTarget, type Marker, writeMarker } from './target.ts'

type Target = Pick<Context, 'database' | 'changes' | 'nodeId' | 'secrets' | 'clock'>

/** Thrown when the source or the target is not what an import needs. Nothing has been written then. */
export class ImportRefused extends Error {}

/** Accounts, tokens, channels, codes and options in one transaction: all of it or nothing. */
export async function importBooks(target: Target, source: Source, report: Report): Promise<Marker> {
  await refuseUnusable(source)
  const at = epochSeconds(target)
  return transact(target, async (tx, announce) => {
    const state = await inspectTarget(tx)
    if (state.kind === 'imported') return state.marker
    if (state.kind === 'used') {
      throw new ImportRefused('The database is in use: it has more than the first account. Import into a fresh one.')
    }
    if (state.builtInRoot !== null) {
      await clearBuiltInRoot(tx, state.builtInRoot, { replaced: await hasUser(source, state.builtInRoot), at })
    }
    const run: ImportRun = { tx, source, report, at, secrets: target.secrets, userIds: new Set() }
    await importUsers(run)
    await importTokens(run)
    await importChannels(run)
    await importRedemptions(run)
    await importOptions(run)
    if (target.database.engine === 'postgres') await continueNumbering(tx)
    const marker = { at, logsUntil: await lastLog(source) }
    await writeMarker(tx, marker)
    announce({ topic: 'everything' })
    return marker
  })
}

/** The whole import. Running it again changes nothing, but for log rows an interruption left behind. */
export async function importDatabase(target: Target, source: Source, report: Report): Promise<void> {
  const { logsUntil } = await importBooks(target, source, report)
  await importLogs({ db: target.database.db, source, report, until: logsUntil })
}

const numberIn = async (source: Source, text: string): Promise<number> =>
  Number(Object.values((await source.query(text))[0] ?? {})[0] ?? 0)

export const countLogs = (source: Source): Promise<number> =>
  numberIn(source, `select count(*) from ${source.quote('logs')}`)

const lastLog = (source: Source): Promise<number> =>
  numberIn(source, `select max(${source.quote('id')}) from ${source.quote('logs')}`)

const hasUser = async (source: Source, id: number): Promise<boolean> =>
  (await numberIn(source, `select count(*) from users where id = ${id} and status <> ${deletedStatus}`)) > 0

async function refuseUnusable(source: Source): Promise<void> {
  const roots = await numberIn(
    source,
    `select count(*) from users where role >= ${roles.root} and status = ${userStatus.activated}`,
  ).catch((cause) => {
    throw new ImportRefused('This is no one-api database: it has no table of users as one-api makes it.', { cause })
  })
  if (roots === 0) throw new ImportRefused('The source has no enabled super administrator: nobody could administer it.')
}
