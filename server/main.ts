import type { Command } from '#server/commands/command.ts'
import { migrate } from '#server/commands/migrate.ts'
import { reconcile } from '#server/commands/reconcile.ts'
import { serve } from '#server/commands/serve.ts'
import { ConfigError, readConfig } from '#server/config.ts'
import { redact } from '#server/lib/log.ts'

/** Everything the program can be asked to do. Adding a command is one line. */
const commands: Readonly<Record<string, Command>> = { serve, reconcile, migrate }

const usage = () =>
  [
    'Usage: switchyard [command]',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name}: ${summary}`),
  ].join('\n')

async function main([name = 'serve', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    console.error(`There is no command ${name}.\n${usage()}`)
    return 2
  }
  try {
    return await command.run(readConfig(process.env), args)
  } catch (error) {
    if (error instanceof ConfigError) {
      console.error(error.message)
      return 2
    }
    console.error(`${name} failed: ${redact(error instanceof Error ? error.message : String(error))}`)
    return 1
  }
}

process.exit(await main(process.argv.slice(2)))
