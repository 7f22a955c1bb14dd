import type { z } from 'zod'
import type { Context } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { logAction } from '#server/history/log-action.ts'
import type { Actor } from '#server/http/call.ts'
import { compact } from '#server/lib/json.ts'
import type { ChannelBatch } from '#shared/channel-batch.ts'
import { nameListMax } from '#shared/channel-fields.ts'
import { commaList, distinctNames } from '#shared/comma-list.ts'
import { invalid } from '#shared/errors.ts'
import { changeEvent } from './channel-changes.ts'
import { channelFacts, recordChannelChanges } from './channel-notes.ts'
import { type ChannelRow, deleteChannel, findChannels, lockChannels, updateChannel } from './channels.store.ts'

type Batch = z.output<typeof ChannelBatch>

/** The channels a batch speaks of; one that does not exist refuses the whole. */
async function chosen(tx: Tx, { ids, tag }: Pick<Batch, 'ids' | 'tag'>): Promise<ChannelRow[]> {
  if ((ids === undefined) === (tag === undefined)) throw invalid('batch.which', {}, 'ids')
  if (ids) {
    const rows = await lockChannels(tx, ids)
    const missing = ids.find((id) => !rows.some((row) => row.id === id))
    if (missing !== undefined) throw invalid('batch.unknown_id', { id: missing }, 'ids')
    return rows
  }
  const tagged = (await findChannels(tx)).filter(({ tags }) => commaList(tags).includes(tag ?? ''))
  if (tagged.length === 0) throw invalid('batch.unknown_tag', { tag: tag ?? '' }, 'tag')
  return lockChannels(
    tx,
    tagged.map(({ id }) => id),
  )
}

function fieldsFor(row: ChannelRow, { add_models, remove_models, ...fields }: Batch['change']): Partial<ChannelRow> {
  if (add_models === undefined && remove_models === undefined) return compact(fields)
  const removed = new Set(commaList(remove_models ?? ''))
  const models = distinctNames(`${row.models},${add_models ?? ''}`).filter((model) => !removed.has(model))
  if (models.length === 0) {
    const { id, name, type } = channelFacts(row)
    throw invalid('batch.no_model_left', { channel: `channel ${id} "${name}" (${type})` }, 'remove_models')
  }
  const tooLong = models.find((model) => model.length > 200)
  if (tooLong !== undefined) throw invalid('model.too_long', { max: 200 }, 'add_models')
  const joined = models.join(',')
  if (joined.length > nameListMax) throw invalid('model.list_too_long', {}, 'add_models')
  return { ...compact(fields), models: joined }
}

/** Changes several channels, all of them or none. Returns how many. */
export async function changeBatch(ctx: Context, actor: Actor, { change, ...which }: Batch): Promise<number> {
  return transact(ctx, async (tx, announce) => {
    const rows = await chosen(tx, which)
    const changes: { before: ChannelRow; after: ChannelRow }[] = []
    for (const before of rows) {
      const after = await updateChannel(tx, before.id, { id: before.id, ...fieldsFor(before, change) })
      if (!after) throw invalid('batch.unknown_id', { id: before.id }, 'ids')
      const event = changeEvent(before, after)
      if (event) await logAction(ctx, tx, actor, event)
      changes.push({ before, after })
    }
    await recordChannelChanges(ctx, tx, actor, changes)
    announce({ topic: 'channels' })
    return rows.length
  })
}

/** Deletes several channels, all of them or none. Returns how many. */
export async function removeBatch(ctx: Context, actor: Actor, ids: readonly number[]): Promise<number> {
  return transact(ctx, async (tx, announce) => {
    const rows = await chosen(tx, { ids: [...ids], tag: undefined })
    for (const row of rows) {
      if (!(await deleteChannel(tx, row.id))) throw invalid('batch.unknown_id', { id: row.id }, 'ids')
      await logAction(ctx, tx, actor, { code: 'channel.deleted', values: channelFacts(row) })
    }
    const removed = rows.map((before) => ({ before, after: null }))
    await recordChannelChanges(ctx, tx, actor, removed)
    announce({ topic: 'channels' })
    return rows.length
  })
}
