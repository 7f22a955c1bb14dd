import { backup } from '#server/commands/backup.ts'
import { type Command, UsageError } from '#server/commands/command.ts'
import { config } from '#server/commands/config.ts'
import { health } from '#server/commands/health.ts'
import { importCommand } from '#server/commands/import.ts'
import { migrate } from '#server/commands/migrate.ts'
import { move } from '#server/commands/move.ts'
import { partitionLog } from '#server/commands/partition-log.ts'
import { reconcile } from '#server/commands/reconcile.ts'
import { resetPassword } from '#server/commands/reset-password.ts'
import { restore } from '#server/commands/restore.ts'
import { returnBudgets } from '#server/commands/return-budgets.ts'
import { serve } from '#server/commands/serve.ts'
import { NewerDatabase } from '#server/db/migrate.ts'
import { redact } from '#server/lib/log.ts'
import { ConfigError, readConfig } from '#server/process/config.ts'
import { Refusal } from '#server/process/refusal.ts'
import { version } from '#server/version.ts'

/** All commands. Adding one is one line. */
const commands: Readonly<Record<string, Command>> = {
  serve,
  migrate,
  reconcile,
  backup,
  restore,
  move,
  'partition-log': partitionLog,
  'return-budgets': returnBudgets,
  'reset-password': resetPassword,
  import: importCommand,
  config,
  health,
}

const overview = (): string => {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return ['Usage: switchyard [command] [arguments]', '', ...lines, '', 'switchyard <command> --help says more.'].join(
    '\n',
  )
}

const usageOf = (name: string, { usage = '' }: Command): string => `Usage: switchyard ${`${name} ${usage}`.trim()}`

const helpOf = (name: string, command: Command): string =>
  [usageOf(name, command), '', `${command.summary}.`, ...(command.help ? ['', command.help] : [])].join('\n')

const needless = (name: string, args: readonly string[]): string =>
  `${name} takes no arguments, but got ${args.join(' ')}. Settings are environment variables, like PORT=8080.`

const asksFor = (args: readonly string[], ...flags: string[]) => args.some((arg) => flags.includes(arg))

/** Runs the command the arguments name and returns the exit code: 0 done, 1 failed, 2 called or configured wrongly. */
async function main([name = 'serve', ...args]: readonly string[]): Promise<number> {
  const print = (text: string, code: number) => {
    process[code === 0 ? 'stdout' : 'stderr'].write(`${text}\n`)
    return code
  }
  if (asksFor([name], '--help', '-h', 'help')) return print(overview(), 0)
  if (asksFor([name], '--version', '-v')) return print(version, 0)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return print(`There is no command ${name}.\n${overview()}`, 2)
  if (asksFor(args, '--help', '-h')) return print(helpOf(name, command), 0)
  try {
    if (command.usage === undefined && args.length > 0) throw new UsageError(needless(name, args))
    return await command.run(readConfig(process.env), args)
  } catch (error) {
    const { misuseCode = 2 } = command
    if (error instanceof UsageError) return print(`${error.message}\n${usageOf(name, command)}`, misuseCode)
    if (error instanceof ConfigError) return print(error.message, misuseCode)
    const message = redact(error instanceof Error ? error.message : String(error))
    return print(error instanceof Refusal || error instanceof NewerDatabase ? message : `${name} failed: ${message}`, 1)
  }
}

// Databases, keys and backups are readable by their owner alone.
process.umask(0o077)

// No top-level await: the one-file build compiles ahead only code without it.
main(process.argv.slice(2)).then((code) => process.exit(code))
