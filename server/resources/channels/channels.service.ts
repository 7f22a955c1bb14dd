import type { z } from 'zod'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import { pageFrom } from '#server/db/page.ts'
import { transact } from '#server/db/transact.ts'
import { logAction } from '#server/history/log-action.ts'
import type { Actor } from '#server/http/call.ts'
import { compact } from '#server/lib/json.ts'
import type { Channel, ChannelChange, channelsApi } from '#shared/api/channels.ts'
import type { ChannelFilter } from '#shared/channel-filter.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import { commaList } from '#shared/comma-list.ts'
import type { InputOf, OutputOf } from '#shared/contract.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { keyLines } from '#shared/key-lines.ts'
import type { PageInput } from '#shared/pagination.ts'
import { channelStatus } from '#shared/statuses.ts'
import { changeEvent } from './channel-changes.ts'
import { channelFacts, recordChannelChanges } from './channel-notes.ts'
import { joinedKeys, lacksPool, sealedKey, sealedProxy } from './channel-secrets.ts'
import {
  type ChannelRow,
  countChannels,
  deleteChannel,
  deleteDisabledChannels,
  findChannel,
  insertChannel,
  listChannels,
  listTags,
  lockChannels,
  updateChannel,
} from './channels.store.ts'
import { requireKeyFor } from './destination.ts'
import { presentChannel, presentChannels } from './present-channel.ts'

type Draft = InputOf<typeof channelsApi.create>
type Change = z.output<typeof ChannelChange>

export async function channelPage(
  ctx: Context,
  { keyword, page, pagesize, ...filter }: PageInput & ChannelFilter & { keyword: string },
): Promise<OutputOf<typeof channelsApi.list>> {
  const search = { ...filter, keyword, keyHash: ctx.secrets.hash(keyword) }
  const rows = await listChannels(ctx.database.db, search, { page, pagesize })
  const { total, enabled } = await countChannels(ctx.database.db, search)
  const list = await presentChannels(ctx, ctx.database.db, rows)
  const tags = [...new Set((await listTags(ctx.database.db)).flatMap(commaList))].toSorted()
  return { ...pageFrom({ page, pagesize }, list, total), enabled, tags }
}

export async function getChannel(ctx: Context, id: number): Promise<Channel> {
  const row = await findChannel(ctx.database.db, id)
  if (!row) throw new AppError('channel.not_found')
  return presentChannel(ctx, ctx.database.db, row)
}

const keysPerCall = 500

/** Kinds of channels without an address of their own must bring one; some have a default for `other`. */
export function fitToType<Fields extends Pick<ChannelRow, 'type' | 'base_url' | 'other'>>(fields: Fields): Fields {
  const type = channelTypeOf(fields.type)
  if (!type) throw invalid('channel.type', {}, 'type')
  if (type.baseUrl === '' && fields.base_url === '') {
    throw invalid('channel.address_required', { type: type.label }, 'base_url')
  }
  return { ...fields, other: fields.other || (type.other?.defaultValue ?? '') }
}

/** The figures of a channel that has not been used. */
const unused = (ctx: Context) => ({
  response_time: 0,
  test_time: 0,
  balance: 0,
  balance_updated_time: 0,
  created_time: epochSeconds(ctx),
})

/** One channel for each line of the key: all of them or none. */
export async function createChannels(ctx: Context, actor: Actor, draft: Draft): Promise<void> {
  const { key, proxy, pool, ...given } = draft
  const fields = fitToType(given)
  const lines = keyLines(key)
  if (lines.length > keysPerCall) throw invalid('channel.keys_max', { max: keysPerCall }, 'key')
  const keys = pool ? [joinedKeys(lines)] : lines
  const sealed = { pool: pool ? 1 : 0, ...sealedProxy(ctx, proxy, '') }
  const fresh = unused(ctx)
  await transact(ctx, async (tx, announce) => {
    const made: ChannelRow[] = []
    for (const line of keys) {
      const row = await insertChannel(tx, { ...fields, ...sealed, ...fresh, ...sealedKey(ctx, line) })
      await logAction(ctx, tx, actor, { code: 'channel.created', values: channelFacts(row) })
      made.push(row)
    }
    const things = made.map((after) => ({ before: null, after }))
    await recordChannelChanges(ctx, tx, actor, things)
    announce({ topic: 'channels' })
  })
}

const copyMark = ' copy'
const nameMax = 100

/** A copy has everything of its channel but its figures, and is off: nothing goes through it before somebody has looked at it. */
export async function duplicateChannel(ctx: Context, actor: Actor, id: number): Promise<Channel> {
  return transact(ctx, async (tx, announce) => {
    const original = await findChannel(tx, id)
    if (!original) throw new AppError('channel.not_found')
    const { id: _, used_quota, test_fault, last_error, last_error_time, ...fields } = original
    const name = `${original.name.slice(0, nameMax - copyMark.length)}${copyMark}`
    const copy = { ...fields, ...unused(ctx), name, status: channelStatus.manuallyDisabled }
    const after = await insertChannel(tx, copy)
    await logAction(ctx, tx, actor, { code: 'channel.created', values: channelFacts(after) })
    await recordChannelChanges(ctx, tx, actor, [{ before: null, after }])
    announce({ topic: 'channels' })
    return presentChannel(ctx, tx, after)
  })
}

/** Changes the fields that are given; an empty key keeps the one there is. */
export async function changeChannel(ctx: Context, actor: Actor, change: Change): Promise<Channel> {
  const { id, key = '', proxy, pool, ...fields } = change
  const lines = keyLines(key)
  if (lines.length > keysPerCall) throw invalid('channel.keys_max', { max: keysPerCall }, 'key')
  return transact(ctx, async (tx, announce) => {
    const [before] = await lockChannels(tx, [id])
    if (!before) throw new AppError('channel.not_found')
    if (fields.status === channelStatus.autoDisabled && before.status !== fields.status) {
      throw invalid('status.one_or_two', {}, 'status')
    }
    const fitted = touchesType(fields)
      ? { ...fields, other: fitToType({ ...before, ...compact(fields) }).other }
      : fields
    const sealed = {
      ...(lines.length === 0 ? {} : sealedKey(ctx, joinedKeys(lines))),
      ...(pool === undefined ? {} : { pool: pool ? 1 : 0 }),
      ...(proxy === undefined ? {} : sealedProxy(ctx, proxy, before.proxy_sealed)),
    }
    if (lines.length === 0) requireKeyFor(ctx, before, { ...before, ...compact(fitted), ...sealed })
    if (lacksPool(ctx, { ...before, ...sealed })) throw invalid('channel.one_key', {}, 'key')
    const after = await updateChannel(tx, id, { id, ...compact(fitted), ...sealed })
    if (!after) throw new AppError('channel.not_found')
    const event = changeEvent(before, after)
    if (event) await logAction(ctx, tx, actor, event)
    await recordChannelChanges(ctx, tx, actor, [{ before, after }])
    announce({ topic: 'channels' })
    return presentChannel(ctx, tx, after)
  })
}

const touchesType = ({ type, base_url, other }: Partial<ChannelRow>): boolean =>
  type !== undefined || base_url !== undefined || other !== undefined

export async function removeChannel(ctx: Context, actor: Actor, id: number): Promise<void> {
  await transact(ctx, async (tx, announce) => {
    const removed = await deleteChannel(tx, id)
    if (!removed) throw new AppError('channel.not_found')
    await logAction(ctx, tx, actor, { code: 'channel.deleted', values: channelFacts(removed) })
    await recordChannelChanges(ctx, tx, actor, [{ before: removed, after: null }])
    announce({ topic: 'channels' })
  })
}

export async function removeDisabledChannels(ctx: Context, actor: Actor): Promise<number> {
  return transact(ctx, async (tx, announce) => {
    const removed = await deleteDisabledChannels(tx)
    for (const row of removed)
      await logAction(ctx, tx, actor, { code: 'channel.disabled_deleted', values: channelFacts(row) })
    const things = removed.map((before) => ({ before, after: null }))
    await recordChannelChanges(ctx, tx, actor, things)
    if (removed.length > 0) announce({ topic: 'channels' })
    return removed.length
  })
}
