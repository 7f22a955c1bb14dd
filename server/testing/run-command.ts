import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface CommandResult {
  readonly code: number
  /** What it printed, errors included. */
  readonly output: string
}

const mainFile = join(import.meta.dirname, '..', 'main.ts')

/** A folder that does not exist yet, in a temporary place. */
export const newFolder = (): string => join(mkdtempSync(join(tmpdir(), 'switchyard-')), 'data')

/** The program itself in a process of its own, with these arguments. */
export async function runCommand(args: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const { DATABASE_URL: _, SECRET_KEY: __, ...inherited } = process.env
  const child = Bun.spawn([process.execPath, mainFile, ...args], {
    env: { ...inherited, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, output: out + err }
}
