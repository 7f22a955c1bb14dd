import type { Config } from '#server/config.ts'

/** One thing the program does when started: `switchyard <name> [arguments]`. */
export interface Command {
  readonly summary: string
  /** Answers the exit code. */
  run(config: Config, args: readonly string[]): Promise<number>
}
