import { readFileSync } from 'node:fs'
import { applyFile } from '#server/config-file/apply.ts'
import { describeChange } from '#server/config-file/describe.ts'
import { exportFile, planSteps, presentSteps } from '#server/config-file/plan.ts'
import type { Context } from '#server/context.ts'
import { theCommandLine } from '#server/history/record.ts'
import { createContext } from '#server/process/create-context.ts'
import { Refusal } from '#server/process/refusal.ts'
import { loadSecretKey } from '#server/process/secret-key.ts'
import { roles } from '#shared/roles.ts'
import { type Command, UsageError } from './command.ts'
import { printWhole } from './print-whole.ts'
import { requireDatabase } from './require-database.ts'

const verbs = ['export', 'plan', 'apply'] as const
type Verb = (typeof verbs)[number]

const changesDue = 2

/** Hundreds of channels with hundreds of models each are some megabytes. */
const bytesMax = 32 * 1024 * 1024

export const config: Command = {
  summary: 'Write the configuration as a file, compare a file with it, or apply one',
  usage: 'export | plan FILE | apply FILE',
  help: [
    'export prints options, channels, groups, prices, limits and fallbacks as YAML, without any secret. plan prints what',
    'a file would change and exits with 0 when that is nothing, with 2 when it is something and with 1 when the file is',
    'bad. apply makes it so, all or nothing, as one entry of the history. ${NAME} in a file is taken from the',
    'environment. FILE may be - for the standard input. A running server follows within 15 seconds.',
  ].join('\n'),
  misuseCode: 1,
  async run(settings, args) {
    const [verb, file, ...more] = args
    if (!verbs.includes(verb as Verb)) throw new UsageError('Say export, plan or apply.')
    if (more.length > 0 || (verb === 'export') !== (file === undefined)) {
      throw new Refusal(verb === 'export' ? 'export takes no file.' : `${verb} takes one file.`)
    }
    // A file may be planned for and applied to a server that is not there yet. What is exported of one would be an empty truth.
    if (verb === 'export') requireDatabase(settings)
    const text = file === undefined ? '' : read(file)
    const ctx = await createContext({ ...settings, LOG_LEVEL: 'silent' }, await loadSecretKey(settings))
    try {
      return await act(ctx, verb as Verb, text)
    } catch (error) {
      throw error instanceof Error ? new Refusal(error.message) : error
    } finally {
      await ctx.database.close()
    }
  },
}

function read(file: string): string {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  if (Buffer.byteLength(text) > bytesMax) throw new Refusal(`${file} is larger than ${bytesMax} bytes.`)
  return text
}

async function act(ctx: Context, verb: Verb, file: string): Promise<number> {
  if (verb === 'export') {
    await printWhole(await exportFile(ctx), notWhole)
    return 0
  }
  const given = { file, env: process.env }
  if (verb === 'apply') {
    const applied = await applyFile(ctx, { ...theCommandLine, role: roles.root }, given)
    console.log([...applied.map(describeChange), countOf(applied.length, 'made')].join('\n'))
    return 0
  }
  const due = presentSteps(await planSteps(ctx, ctx.database.db, given))
  console.log([...due.map(describeChange), countOf(due.length, 'to make')].join('\n'))
  return due.length === 0 ? 0 : changesDue
}

/** A part of an export must not pass for the whole truth, by which the channels that are missing would be deleted. */
const notWhole = (reason: string): string =>
  `The export could not be written whole: ${reason}. Do not apply what is there of it.`

const countOf = (count: number, what: string): string =>
  count === 0 ? 'No changes.' : `${count} ${count === 1 ? 'change' : 'changes'} ${what}.`
