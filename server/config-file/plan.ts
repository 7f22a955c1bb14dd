import type { Context } from '#server/context.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { readStoredOptions } from '#server/db/stored-options.ts'
import { changesOf, type Item, showFields } from '#server/history/item.ts'
import { itemOf } from '#server/history/record.ts'
import { type ChannelRow, findChannels } from '#server/resources/channels/channels.store.ts'
import type { ConfigChange } from '#shared/api/config.ts'
import { type OptionKey, options } from '#shared/options.ts'
import { exportChannels, wantedChannel } from './channel-section.ts'
import { badFile, type ConfigFile, readFile, writeFile } from './file.ts'
import { exportOptions, inEffect, wantedOptions } from './option-section.ts'
import type { Variables } from './references.ts'

/** One thing to write. Channels without `fields` are deleted, without `before` created. */
export type ConfigStep =
  | { readonly kind: 'option'; readonly key: OptionKey; readonly before: string; readonly after: string }
  | { readonly kind: 'channel'; readonly before: ChannelRow | null; readonly fields: Partial<ChannelRow> | null }

export async function exportFile(ctx: Context, db: Db | Tx = ctx.database.db): Promise<string> {
  const stored = inEffect(await readStoredOptions(db, ctx.secrets))
  const rows = await findChannels(db)
  requireUniqueNames(rows.map(({ name }) => name))
  return writeFile({ ...exportOptions(stored), channels: exportChannels(ctx, rows) })
}

export interface Given {
  readonly file: string
  readonly env: Variables
}

/** What has to be written so that everything is as the file says; refuses a file that says what cannot be. */
export async function planSteps(ctx: Context, db: Db | Tx, { file: text, env }: Given): Promise<ConfigStep[]> {
  const file = readFile(text)
  return [...(await optionSteps(ctx, db, file, env)), ...channelSteps(ctx, file, await findChannels(db), env)]
}

const isChange = (step: ConfigStep): boolean => changesOf(itemOfStep(step), false) !== null

export async function optionSteps(ctx: Context, db: Db | Tx, file: ConfigFile, env: Variables): Promise<ConfigStep[]> {
  const stored = inEffect(await readStoredOptions(db, ctx.secrets))
  return [...wantedOptions(file, stored, env)]
    .map(([key, after]): ConfigStep => ({ kind: 'option', key, before: stored[key] ?? options[key].default, after }))
    .filter(isChange)
}

export function channelSteps(
  ctx: Context,
  { channels: given }: ConfigFile,
  rows: readonly ChannelRow[],
  env: Variables,
): ConfigStep[] {
  if (!given) return []
  const names = given.map(({ name }) => (typeof name === 'string' ? name.trim() : ''))
  if (names.includes('')) throw badFile('channels: every channel needs a name, and a name is text')
  requireUniqueNames(names)
  requireUniqueNames(rows.map(({ name }) => name))
  const wanted = given.map((channel, at): ConfigStep => {
    const before = rows.find(({ name }) => name === names[at])
    return { kind: 'channel', before: before ?? null, fields: wantedChannel(ctx, channel, before, env) }
  })
  const gone = rows.filter(({ name }) => !names.includes(name))
  return [...wanted, ...gone.map((before): ConfigStep => ({ kind: 'channel', before, fields: null }))].filter(isChange)
}

function requireUniqueNames(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw badFile(`channels: there are two called ${twice}; their names must be unique`)
}

/** The step as the history will show it. */
function itemOfStep(step: ConfigStep): Item {
  if (step.kind === 'option') {
    const { key, before, after } = step
    return itemOf('option', { id: key, name: key, before: { value: before }, after: { value: after } })
  }
  const { before, fields } = step
  const name = before?.name ?? String(fields?.name ?? '')
  return itemOf('channel', { id: before?.id ?? name, name, before, after: fields && { ...before, ...fields } })
}

export const presentSteps = (steps: readonly ConfigStep[]): ConfigChange[] =>
  steps.flatMap((step) => {
    const item = changesOf(itemOfStep(step), false)
    if (!item) return []
    const { before, after } = item
    return [
      {
        kind: step.kind,
        name: item.name,
        before: showFields(item, before, false),
        after: showFields(item, after, false),
      },
    ]
  })
