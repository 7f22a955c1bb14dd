import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { lockOptions } from '#server/db/stored-options.ts'
import { transact } from '#server/db/transact.ts'
import type { Item } from '#server/history/item.ts'
import { logAction } from '#server/history/log-action.ts'
import { itemOf, recordItems } from '#server/history/record.ts'
import type { UndoAuthor } from '#server/history/restorer.ts'
import {
  deleteChannel,
  insertChannel,
  lockAllChannels,
  updateChannel,
} from '#server/resources/channels/channels.store.ts'
import { optionRestorer } from '#server/resources/options/options.restorer.ts'
import { requireWriter, storeOption } from '#server/resources/options/options.service.ts'
import type { ConfigChange } from '#shared/api/config.ts'
import { readFile } from './file.ts'
import { type ConfigStep, channelSteps, type Given, optionSteps, presentSteps } from './plan.ts'

/** Makes everything as the file says, all of it or nothing, as one entry of the history. Returns what it changed. */
export async function applyFile(ctx: Context, actor: UndoAuthor, given: Given): Promise<ConfigChange[]> {
  const steps = await transact(ctx, async (tx, announce) => {
    const file = readFile(given.file)
    const due: ConfigStep[] = []
    const items: Item[] = []
    const make = async (steps: readonly ConfigStep[]) => {
      due.push(...steps)
      for (const step of steps) items.push(await write(ctx, tx, actor, step))
    }
    await lockOptions(tx)
    await make(await optionSteps(ctx, tx, file, given.env))
    await make(channelSteps(ctx, file, await lockAllChannels(tx), given.env))
    if (due.length === 0) return due
    await recordItems(ctx, tx, actor, { kind: 'config', items })
    await logAction(ctx, tx, actor, { code: 'config.applied', values: { count: due.length } })
    announce({ topic: 'options' })
    announce({ topic: 'channels' })
    return due
  })
  await ctx.refreshOptions()
  await optionRestorer.finish?.(ctx)
  return presentSteps(steps)
}

async function write(ctx: Context, tx: Tx, actor: UndoAuthor, step: ConfigStep): Promise<Item> {
  if (step.kind === 'option') {
    const { key, before, after } = step
    // Whoever has the machine can lock nobody out of it.
    if (actor.id !== 0) await requireWriter(tx, actor, key, after)
    await storeOption(ctx, tx, key, after)
    return itemOf('option', { id: key, name: key, before: { value: before }, after: { value: after } })
  }
  const { before, fields } = step
  const after = fields === null ? null : before ? await change(tx, before.id, fields) : await create(ctx, tx, fields)
  if (before && fields === null) await deleteChannel(tx, before.id)
  return itemOf('channel', { id: after?.id ?? before?.id ?? 0, name: after?.name ?? before?.name ?? '', before, after })
}

type ChannelFields = NonNullable<Extract<ConfigStep, { kind: 'channel' }>['fields']>

const change = async (tx: Tx, id: number, fields: ChannelFields) => (await updateChannel(tx, id, fields)) ?? null

const create = (ctx: Context, tx: Tx, fields: ChannelFields) =>
  insertChannel(tx, {
    response_time: 0,
    test_time: 0,
    balance: 0,
    balance_updated_time: 0,
    created_time: epochSeconds(ctx),
    ...fields,
  } as Parameters<typeof insertChannel>[1])
