import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import type { Context } from '#server/context.ts'
import type { Difference } from '#server/import/follow.ts'
import { follow } from '#server/import/follow-loop.ts'
import { importBooks, importDatabase } from '#server/import/import-database.ts'
import { type ImportRequest, openImport } from '#server/import/open-import.ts'
import type { ProgramName } from '#server/import/program.ts'
import { programNames } from '#server/import/programs.ts'
import { createReport, type Report } from '#server/import/report.ts'
import { ImportRefused, SourceLost, sourceLost } from '#server/import/source/source.ts'
import { randomHex } from '#server/lib/random.ts'
import type { Config } from '#server/process/config.ts'
import { createContext } from '#server/process/create-context.ts'
import { Refusal } from '#server/process/refusal.ts'
import { loadSecretKey } from '#server/process/secret-key.ts'
import { readArguments } from './arguments.ts'
import { type Command, UsageError } from './command.ts'

export const importCommand: Command = {
  summary: 'Take over the data of a one-api, new-api or one-hub server',
  usage: '<SQLite file | mysql://… | postgres://…> [--from PROGRAM] [--logs ADDRESS] [--dry-run | --follow] [--json]',
  help: [
    'Users with their passwords and second factors, tokens with their keys and limits, channels, redemption codes, options,',
    'prices and logs. The program is recognised by its tables; --from one-api|new-api|one-hub says which it has to be, --logs',
    'where its log rows are if they have a database of their own. The source is only read. The database of this server must',
    'be fresh; stop the server first. With --dry-run, it is all tried on a passing copy and reported, and nothing is written. With',
    '--follow, what is added or changed there is taken over every few seconds until Ctrl-C. With --json, the report is one',
    'JSON object. Running it again changes nothing; an interrupted one goes on.',
  ].join('\n'),
  async run(config, args) {
    const { first, values } = readArguments(args, 'source', {
      'dry-run': { type: 'boolean' },
      follow: { type: 'boolean' },
      json: { type: 'boolean' },
      from: { type: 'string' },
      logs: { type: 'string' },
    })
    const { from, logs } = values
    const asked = { source: first, logs: typeof logs === 'string' ? logs : undefined, program: programNamed(from) }
    const [isDry, isJson] = [values['dry-run'] === true, values.json === true]
    if (isDry && values.follow === true) throw new UsageError('A dry run follows nothing: use one of the two.')
    try {
      const run = isDry ? dryRun : values.follow === true ? keepUp : perform
      return await run(config, asked, isJson)
    } catch (error) {
      if (error instanceof SourceLost) throw new Refusal(sourceLost(error, 'Nothing was written.'))
      throw error instanceof ImportRefused ? new Refusal(error.message) : error
    }
  },
}

function programNamed(name: unknown): ProgramName | null {
  if (name === undefined) return null
  const found = programNames.find((known) => known === name)
  if (!found) throw new UsageError(`--from must be one of ${programNames.join(', ')}.`)
  return found
}

async function withContext(
  config: Config,
  secretKey: () => string | Promise<string>,
  work: (ctx: Context, report: Report) => Promise<number>,
): Promise<number> {
  const ctx = await createContext({ ...config, LOG_LEVEL: 'silent' }, await secretKey())
  try {
    return await work(ctx, createReport())
  } finally {
    await ctx.database.close()
  }
}

const perform = (config: Config, asked: ImportRequest, isJson: boolean): Promise<number> =>
  withContext(
    config,
    () => loadSecretKey(config),
    async (ctx, report) => {
      const { program, reader, close } = await openImport(ctx, asked, report)
      try {
        await importDatabase(ctx, { program: program.name, reader, report })
      } finally {
        await close()
      }
      return await conclude(ctx, report, { program: program.name, title: titles.done, isJson })
    },
  )

/** The same work on a database that goes away. It is a file: of a million accounts, memory would hold every row. */
async function dryRun(config: Config, asked: ImportRequest, isJson: boolean): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-dry-run-'))
  try {
    return await dryRunIn(`sqlite:${join(folder, 'dry-run.db')}`, config, asked, isJson)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const dryRunIn = (address: string, config: Config, asked: ImportRequest, isJson: boolean): Promise<number> =>
  withContext(
    { ...config, DATABASE_URL: address },
    () => randomHex(32),
    async (ctx, report) => {
      const { program, reader, close } = await openImport(ctx, asked, report)
      try {
        await importBooks(ctx, { program: program.name, reader, report })
        report.count('log rows', await reader.countLogs())
        for (const left of await reader.leftOut()) report.leaveOut(left)
      } finally {
        await close()
      }
      return await conclude(ctx, report, { program: program.name, title: titles.dry, isJson, isDry: true })
    },
  )

const secondsBetweenRounds = 3

/** Takes over until somebody stops it. What happens meanwhile is for people: the standard output is the report's alone. */
const keepUp = (config: Config, asked: ImportRequest, isJson: boolean): Promise<number> =>
  withContext(
    config,
    () => loadSecretKey(config),
    async (ctx, report) => {
      const end = new AbortController()
      const stop = () => end.abort()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
      const say = (line: string) => console.error(line)
      const everyMs = secondsBetweenRounds * 1000
      const { program, rounds, differences } = await follow(ctx, { asked, report, stop: end.signal, everyMs, say })
      return await conclude(ctx, report, { program, title: titles.done, isJson, rounds, differences })
    },
  )

const titles = {
  dry: 'A dry run; nothing was written. An import into a fresh database would take over:',
  done: 'Imported:',
  none: 'This database has had its import; nothing was changed.',
}

interface Conclusion {
  readonly program: ProgramName
  readonly title: string
  readonly isJson: boolean
  readonly isDry?: boolean
  readonly rounds?: number
  readonly differences?: readonly Difference[]
}

async function conclude({ database }: Pick<Context, 'database'>, report: Report, made: Conclusion): Promise<number> {
  const { program, title, isJson, isDry = false, rounds, differences } = made
  const drift = (await reconcile(database.db)).length
  const followed = differences === undefined ? {} : { rounds, differences }
  if (isJson) console.log(JSON.stringify({ program, dry_run: isDry, ...report.facts(), ...followed, drift }))
  else {
    const lines = report.lines()
    console.log(`The source is a database of ${program}.`)
    console.log(lines.length === 0 ? titles.none : [title, ...lines].join('\n'))
    for (const line of differenceLines(differences)) console.log(line)
    console.log(`${drift} balances drift from the ledger.`)
  }
  return drift === 0 ? 0 : 1
}

const differenceLines = (differences: readonly Difference[] | undefined): string[] =>
  differences === undefined
    ? []
    : differences.length === 0
      ? ['Every balance is the same on both sides.']
      : [
          'Balances that are not the same on both sides:',
          ...differences.map(
            ({ what, id, there, here }) => `  ${what} ${id}: ${there ?? 'no number'} there, ${here} here`,
          ),
        ]
