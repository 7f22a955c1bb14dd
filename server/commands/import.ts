import { reconcile } from '#server/billing/ledger/reconcile.ts'
import type { Context } from '#server/context.ts'
import { importBooks, importDatabase } from '#server/import/import-database.ts'
import { type Asked, openImport } from '#server/import/open-import.ts'
import type { ProgramName } from '#server/import/program.ts'
import { programNames } from '#server/import/programs.ts'
import { createReport, type Report } from '#server/import/report.ts'
import { ImportRefused } from '#server/import/source/source.ts'
import { randomHex } from '#server/lib/random.ts'
import type { Config } from '#server/process/config.ts'
import { createContext } from '#server/process/create-context.ts'
import { loadSecretKey } from '#server/process/secret-key.ts'
import { readArguments } from './arguments.ts'
import { type Command, Refusal, UsageError } from './command.ts'

export const importCommand: Command = {
  summary: 'Take over the data of a one-api, new-api or one-hub server',
  usage: '<SQLite file | mysql://… | postgres://…> [--from PROGRAM] [--logs ADDRESS] [--dry-run] [--json]',
  help: [
    'Users with their passwords and second factors, tokens with their keys and limits, channels, redemption codes, options,',
    'prices and logs. The program is recognised by its tables; --from one-api|new-api|one-hub says which it has to be, --logs',
    'where its log rows are if they have a database of their own. The source is only read. The database of this server must',
    'be fresh; stop the server first. With --dry-run, it is all tried in memory and reported, and nothing is written. With',
    '--json, the report is one JSON object. Running it again changes nothing; an interrupted one goes on.',
  ].join('\n'),
  async run(config, args) {
    const { first, values } = readArguments(args, 'source', {
      'dry-run': { type: 'boolean' },
      json: { type: 'boolean' },
      from: { type: 'string' },
      logs: { type: 'string' },
    })
    const { from, logs } = values
    const asked = { source: first, logs: typeof logs === 'string' ? logs : undefined, program: programNamed(from) }
    const output: Output = { isDry: values['dry-run'] === true, isJson: values.json === true }
    try {
      return await (output.isDry ? rehearse : perform)(config, asked, output)
    } catch (error) {
      throw error instanceof ImportRefused ? new Refusal(error.message) : error
    }
  },
}

interface Output {
  readonly isDry: boolean
  readonly isJson: boolean
}

function programNamed(name: unknown): ProgramName | null {
  if (name === undefined) return null
  const found = programNames.find((known) => known === name)
  if (!found) throw new UsageError(`--from must be one of ${programNames.join(', ')}.`)
  return found
}

async function perform(config: Config, asked: Asked, output: Output): Promise<number> {
  const report = createReport()
  const ctx = await createContext({ ...config, LOG_LEVEL: 'silent' }, loadSecretKey(config))
  try {
    const { program, reader, close } = await openImport(ctx, asked, report)
    try {
      await importDatabase(ctx, { program: program.name, reader, report })
    } finally {
      await close()
    }
    return await conclude(ctx, report, program.name, output)
  } finally {
    await ctx.database.close()
  }
}

/** The same work on a database that lives in memory and goes away. */
async function rehearse(config: Config, asked: Asked, output: Output): Promise<number> {
  const report = createReport()
  const ctx = await createContext({ ...config, DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' }, randomHex(32))
  try {
    const { program, reader, close } = await openImport(ctx, asked, report)
    try {
      await importBooks(ctx, { program: program.name, reader, report })
      report.count('log rows', await reader.countLogs())
      for (const left of await reader.leftOut()) report.leaveOut(left)
    } finally {
      await close()
    }
    return await conclude(ctx, report, program.name, output)
  } finally {
    await ctx.database.close()
  }
}

const titles = {
  dry: 'A dry run; nothing was written. An import into a fresh database would take over:',
  done: 'Imported:',
  none: 'This database has had its import; nothing was changed.',
}

async function conclude(
  { database }: Pick<Context, 'database'>,
  report: Report,
  program: ProgramName,
  { isDry, isJson }: Output,
): Promise<number> {
  const drift = (await reconcile(database.db)).length
  const lines = report.lines()
  if (isJson) console.log(JSON.stringify({ program, dry_run: isDry, ...report.facts(), drift }))
  else {
    console.log(`The source is a database of ${program}.`)
    console.log(lines.length === 0 ? titles.none : [isDry ? titles.dry : titles.done, ...lines].join('\n'))
    console.log(`${drift} balances drift from the ledger.`)
  }
  return drift === 0 ? 0 : 1
}
