import type { Config } from '#server/process/config.ts'

/** One thing the program does when started: `switchyard <name> [arguments]`. */
export interface Command {
  readonly summary: string
  /** The arguments, as a usage line shows them. */
  readonly usage?: string
  /** What `--help` says beyond the summary. */
  readonly help?: string
  /** The exit code when it is called or configured wrongly, where 2 says something else. */
  readonly misuseCode?: number
  /** Returns the exit code. */
  run(config: Config, args: readonly string[]): Promise<number>
}

/** The command was called in a way it does not understand; its usage is shown. */
export class UsageError extends Error {}
