import { type Context, epochSeconds } from '#server/context.ts'
import type { ForeignReader } from './form.ts'
import type { Program, ProgramName } from './program.ts'
import { recognise } from './programs.ts'
import type { Report } from './report.ts'
import type { Check } from './source/damage.ts'
import { openSource } from './source/open-source.ts'

export interface ImportRequest {
  readonly source: string
  /** Where the log rows are, if not there. */
  readonly logs?: string | undefined
  readonly program?: ProgramName | null
  /** Of files. */
  readonly check?: Check
}

export interface OpenImport {
  readonly program: Program
  readonly reader: ForeignReader
  close(): Promise<void>
}

/** Opens the old database as of this moment, and finds out which program made it. */
export async function openImport(
  ctx: Pick<Context, 'clock'>,
  asked: ImportRequest,
  report: Report,
): Promise<OpenImport> {
  const source = await openSource(asked.source, asked.check)
  const logs = asked.logs === undefined ? source : await openSource(asked.logs, asked.check)
  const close = async () => {
    if (logs !== source) await logs.close()
    await source.close()
  }
  try {
    const program = recognise(source, logs, asked.program ?? null)
    return { program, reader: program.read({ source, logs, report, at: epochSeconds(ctx) }), close }
  } catch (error) {
    await close()
    throw error
  }
}
