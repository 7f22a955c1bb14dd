import { reconcile } from '#server/billing/ledger/reconcile.ts'
import type { Context } from '#server/context.ts'
import { countLogs, ImportRefused, importBooks, importDatabase } from '#server/import/import-database.ts'
import { openSource } from '#server/import/open-source.ts'
import { createReport, type Report } from '#server/import/report.ts'
import type { Source } from '#server/import/source.ts'
import { randomHex } from '#server/lib/random.ts'
import type { Config } from '#server/process/config.ts'
import { createContext } from '#server/process/create-context.ts'
import { loadSecretKey } from '#server/process/secret-key.ts'
import { readArguments } from './arguments.ts'
import { type Command, Refusal } from './command.ts'

export const importCommand: Command = {
  summary: 'Take over the data of a one-api server, 0.6.4 or newer',
  usage: '<SQLite file | mysql://… | postgres://…> [--dry-run]',
  help: [
    'Users with their passwords, tokens with their keys, channels, redemption codes, options and logs. The source is only',
    'read. The database of this server must be fresh; stop the server first. With --dry-run, it is all tried in memory and',
    'told, and nothing is written. Running it again changes nothing; an interrupted one goes on.',
  ].join('\n'),
  async run(config, args) {
    const { first, values } = readArguments(args, 'source', { 'dry-run': { type: 'boolean' } })
    const source = await openSource(first)
    try {
      return values['dry-run'] === true ? await rehearse(config, source) : await perform(config, source)
    } catch (error) {
      throw error instanceof ImportRefused ? new Refusal(error.message) : error
    } finally {
      await source.close()
    }
  },
}

async function perform(config: Config, source: Source): Promise<number> {
  const report = createReport()
  const ctx = await createContext({ ...config, LOG_LEVEL: 'silent' }, loadSecretKey(config))
  try {
    await importDatabase(ctx, source, report)
    return await conclude(ctx, report, 'Imported:')
  } finally {
    await ctx.database.close()
  }
}

/** The same work on a database that lives in memory and goes away. */
async function rehearse(config: Config, source: Source): Promise<number> {
  const report = createReport()
  const ctx = await createContext({ ...config, DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' }, randomHex(32))
  try {
    await importBooks(ctx, source, report)
    report.count('log rows', await countLogs(source))
    return await conclude(
      ctx,
      report,
      'A dry run; nothing was written. An import into a fresh database would take over:',
    )
  } finally {
    await ctx.database.close()
  }
}

async function conclude({ database }: Pick<Context, 'database'>, report: Report, title: string): Promise<number> {
  const lines = report.lines()
  const drifts = await reconcile(database.db)
  console.log(
    lines.length === 0 ? 'This database has had its import; nothing was changed.' : [title, ...lines].join('\n'),
  )
  console.log(`${drifts.length} balances drift from the ledger.`)
  return drifts.length === 0 ? 0 : 1
}
