import type { z } from 'zod'
import type { Context } from '#server/context.ts'
import { epochSeconds } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { writeLog } from '#server/db/log-rows.ts'
import { pageFrom } from '#server/db/page.ts'
import { transact } from '#server/db/transact.ts'
import type { Actor } from '#server/http/call.ts'
import { differences } from '#server/lib/differences.ts'
import { compact } from '#server/lib/json.ts'
import { redact } from '#server/lib/log.ts'
import type { Channel, ChannelChange, ChannelDraft, channelsApi } from '#shared/api/channels.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import type { OutputOf } from '#shared/contract.ts'
import { AppError, invalid } from '#shared/errors.ts'
import type { PageInput } from '#shared/pagination.ts'
import { channelStatus, logType } from '#shared/statuses.ts'
import {
  type ChannelRow,
  countChannels,
  deleteChannel,
  deleteDisabledChannels,
  findChannel,
  insertChannel,
  listChannels,
  updateChannel,
} from './channels.store.ts'
import { unpricedModels } from './model-prices.ts'

type Draft = z.output<typeof ChannelDraft>
type Change = z.output<typeof ChannelChange>

/** The output schema has no place for the key: it cannot leave. */
const present = (ctx: Context, row: ChannelRow): Channel => {
  const { key_sealed: _, key_hash: __, ...rest } = row
  return { ...rest, key: '', unpriced_models: unpricedModels(ctx, row) }
}

export async function channelPage(
  ctx: Context,
  { keyword, ...page }: PageInput & { keyword: string },
): Promise<OutputOf<typeof channelsApi.list>> {
  const search = { keyword, keyHash: ctx.secrets.hash(keyword) }
  const rows = await listChannels(ctx.database.db, search, page)
  const { total, enabled } = await countChannels(ctx.database.db, search)
  const list = rows.map((row) => present(ctx, row))
  return { ...pageFrom(page, list, total), enabled }
}

export async function getChannel(ctx: Context, id: number): Promise<Channel> {
  const row = await findChannel(ctx.database.db, id)
  if (!row) throw new AppError('channel.not_found')
  return present(ctx, row)
}

const note = (ctx: Context, tx: Tx, actor: Actor, content: string): Promise<void> => {
  const at = epochSeconds(ctx)
  return writeLog(tx, { userId: actor.id, username: actor.username, type: logType.admin, content: redact(content), at })
}

const named = ({ id, name, type }: Pick<ChannelRow, 'id' | 'name' | 'type'>): string =>
  `channel ${id} "${name}" (${channelTypeOf(type)?.label ?? type})`

const keysPerCall = 500

const keyLines = (key: string): string[] =>
  key
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const sealedKey = ({ secrets }: Context, key: string) => ({
  key_sealed: secrets.seal(key),
  key_hash: secrets.hash(key),
})

/** Kinds of channels without an address of their own must bring one; some have a default for `other`. */
function fitToType<Fields extends Pick<ChannelRow, 'type' | 'base_url' | 'other'>>(fields: Fields): Fields {
  const type = channelTypeOf(fields.type)
  if (!type) throw invalid('channel.type', {}, 'type')
  if (type.baseUrl === '' && fields.base_url === '') {
    throw invalid('channel.address_required', { type: type.label }, 'base_url')
  }
  return { ...fields, other: fields.other || (type.other?.defaultValue ?? '') }
}

/** One channel for each line of the key: all of them or none. */
export async function createChannels(ctx: Context, actor: Actor, draft: Draft): Promise<void> {
  const { key, ...given } = draft
  const fields = fitToType(given)
  const keys = keyLines(key)
  if (keys.length > keysPerCall) throw invalid('channel.keys_max', { max: keysPerCall }, 'key')
  const fresh = {
    status: channelStatus.enabled,
    response_time: 0,
    test_time: 0,
    balance: 0,
    balance_updated_time: 0,
    created_time: epochSeconds(ctx),
  }
  await transact(ctx, async (tx, announce) => {
    for (const line of keys) {
      const row = await insertChannel(tx, { ...fields, ...fresh, ...sealedKey(ctx, line) })
      await note(ctx, tx, actor, `created ${named(row)}`)
    }
    announce({ topic: 'channels' })
  })
}

/** Changes the fields that are given; an empty key keeps the one there is. */
export async function changeChannel(ctx: Context, actor: Actor, change: Change): Promise<Channel> {
  const { id, key = '', ...fields } = change
  const [newKey, ...more] = keyLines(key)
  if (more.length > 0) throw invalid('channel.one_key', {}, 'key')
  return transact(ctx, async (tx, announce) => {
    const before = await findChannel(tx, id)
    if (!before) throw new AppError('channel.not_found')
    if (fields.status === channelStatus.autoDisabled && before.status !== fields.status) {
      throw invalid('status.one_or_two', {}, 'status')
    }
    const fitted = touchesType(fields)
      ? { ...fields, other: fitToType({ ...before, ...compact(fields) }).other }
      : fields
    const sealed = newKey === undefined ? {} : sealedKey(ctx, newKey)
    const after = await updateChannel(tx, id, { id, ...compact(fitted), ...sealed })
    if (!after) throw new AppError('channel.not_found')
    const content = describeChange(before, after)
    if (content !== '') await note(ctx, tx, actor, content)
    announce({ topic: 'channels' })
    return present(ctx, after)
  })
}

const touchesType = ({ type, base_url, other }: Partial<ChannelRow>): boolean =>
  type !== undefined || base_url !== undefined || other !== undefined

const told = [
  'name',
  'type',
  'base_url',
  'other',
  'model_mapping',
  'models',
  'group',
  'priority',
  'weight',
  'cost_ratio',
] as const

function describeChange(before: ChannelRow, after: ChannelRow): string {
  const toggled = before.status === after.status ? '' : after.status === channelStatus.enabled ? 'enabled' : 'disabled'
  const rekeyed = before.key_hash === after.key_hash ? '' : 'key replaced'
  const changes = [differences(before, after, told), rekeyed].filter(Boolean).join(', ')
  const verbs = [toggled, changes && 'changed'].filter(Boolean).join(' and ')
  return verbs && `${verbs} ${named(after)}${changes && `: ${changes}`}`
}

export async function removeChannel(ctx: Context, actor: Actor, id: number): Promise<void> {
  await transact(ctx, async (tx, announce) => {
    const removed = await deleteChannel(tx, id)
    if (!removed) throw new AppError('channel.not_found')
    await note(ctx, tx, actor, `deleted ${named(removed)}`)
    announce({ topic: 'channels' })
  })
}

export async function removeDisabledChannels(ctx: Context, actor: Actor): Promise<number> {
  return transact(ctx, async (tx, announce) => {
    const removed = await deleteDisabledChannels(tx)
    for (const channel of removed) await note(ctx, tx, actor, `deleted disabled ${named(channel)}`)
    if (removed.length > 0) announce({ topic: 'channels' })
    return removed.length
  })
}
