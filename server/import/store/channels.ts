import type { Insertable } from 'kysely'
import type { ChannelsTable } from '#server/db/tables.ts'
import type { ChannelFacts, ForeignChannel } from '#server/import/form.ts'
import { ChannelDraft } from '#shared/api/channels.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import { channelStatus } from '#shared/statuses.ts'
import { disableGone } from './gone.ts'
import { counterOf, type ImportRun, noteEncoding, tidyList } from './run.ts'
import { stretches } from './walk.ts'

type Kept = { readonly id: number; readonly name: string } & ChannelFacts

/** Channels with the models they name; tables of abilities are not read: they may name channels that are gone. */
export async function storeChannels(run: ImportRun): Promise<void> {
  for await (const stretch of stretches(run.reader.channels())) {
    const kept = stretch.rows.filter(({ leftOut }) => leftOut === undefined)
    await disableGone(run, 'channels', stretch, new Set(kept.map(({ id }) => id)))
    for (const channel of stretch.rows) {
      if (!run.seen.isNews('channel', channel.id, channel)) continue
      if (channel.leftOut !== undefined) note(run, channel, 'left out', channel.leftOut)
      else await upsertChannel(run, channel)
    }
  }
}

const note = (
  { report }: ImportRun,
  { id, name }: ForeignChannel,
  outcome: 'left out' | 'disabled' | 'changed',
  reason: string,
): void => report.channel({ id, name, outcome, reason })

async function upsertChannel(run: ImportRun, channel: Kept): Promise<void> {
  const row = channelRow(run, channel)
  await run.tx
    .insertInto('channels')
    .values({ id: channel.id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
  await storeDisabledKeys(run, channel)
  run.report.count('channels')
}

/** The last second of the year 9999. */
const forEver = 253_402_300_799

/** A key of a pool that is switched off rests for good: it is kept, and never used. */
async function storeDisabledKeys({ tx, secrets }: ImportRun, { id, isPool, disabledKeys }: Kept): Promise<void> {
  await tx.deleteFrom('channel_keys').where('channel_id', '=', id).execute()
  const hashes = isPool ? [...new Set(disabledKeys.map((key) => secrets.hash(key)))] : []
  if (hashes.length === 0) return
  const state = {
    channel_id: id,
    resting_until: forEver,
    rest_seconds: 0,
    last_fault: 'switched off before the import',
  }
  await tx
    .insertInto('channel_keys')
    .values(hashes.map((key_hash) => ({ ...state, key_hash })))
    .execute()
}

const shape = ChannelDraft.shape

/** The console takes no address with a login: it would be shown. */
const login = /^(\w+:\/\/)[^/?#]*@/

/** A field as the console would take it. What it refuses is dropped, and the reason kept. */
function fieldsOf(channel: Kept) {
  const doubts = [...channel.doubts]
  const remarks = [...channel.remarks]
  const checked = <Value>(
    schema: { safeParse(value: unknown): { success: boolean; data?: Value } },
    value: Value,
    otherwise: Value,
    refused: () => void,
  ): Value => {
    const result = schema.safeParse(value)
    if (!result.success || result.data === undefined) refused()
    return result.success && result.data !== undefined ? result.data : otherwise
  }
  const doubted = (reason: string) => () => void doubts.push(reason)
  const address = channel.baseUrl.trim().replace(login, '$1')
  if (address !== channel.baseUrl.trim())
    doubts.push('its base URL held a name or password, which is left out: put it into the key or the headers')
  const baseUrl = checked(shape.base_url, address, address, doubted('base URL not understood'))
  if (baseUrl === '' && channelTypeOf(channel.type)?.baseUrl === '') doubts.push('base URL missing')
  return {
    base_url: baseUrl,
    headers: checked(shape.headers, channel.headers, '', doubted('headers not understood')),
    overrides: checked(shape.overrides, channel.overrides, '', doubted('overrides not understood')),
    proxy: checked(shape.proxy, channel.proxy, '', doubted('proxy not understood')),
    model_mapping: checked(
      shape.model_mapping,
      channel.modelMapping,
      '',
      () => void remarks.push('model mapping is no valid JSON, cleared'),
    ),
    tags: checked(shape.tags, channel.tags, '', () => void remarks.push('tags not understood')),
    doubts,
    remarks,
  }
}

function channelRow(run: ImportRun, channel: Kept): Omit<Insertable<ChannelsTable>, 'id'> {
  const subject = `channel ${channel.id}`
  noteEncoding(run, subject, channel.name, channel.key, channel.baseUrl, channel.models, channel.modelMapping)
  const { doubts, remarks, proxy, ...fields } = fieldsOf(channel)
  const models = tidyList(channel.models)
  const keys = channel.isPool ? keysOf(channel) : [channel.key]
  if (keys.every((key) => channel.disabledKeys.includes(key))) doubts.push('every key of its pool is switched off')
  if (models === '') run.report.note('channel has no models', subject)
  const label = channelTypeOf(channel.type)?.label ?? ''
  if (channel.was !== undefined && channel.was !== label)
    note(run, channel, 'changed', `${channel.was} became ${label}`)
  for (const doubt of doubts) note(run, channel, 'disabled', doubt)
  for (const remark of remarks) run.report.note(remark, subject)
  const key = keys.join('\n')
  return {
    ...fields,
    name: channel.name.trim() || subject,
    type: channel.type,
    key_sealed: run.secrets.seal(key),
    key_hash: run.secrets.hash(key),
    other: channel.other || (channelTypeOf(channel.type)?.other?.defaultValue ?? ''),
    models,
    group: tidyList(channel.group) || 'default',
    status: doubts.length > 0 ? channelStatus.manuallyDisabled : statusOf(channel),
    priority: channel.priority,
    weight: counterOf(channel.weight),
    response_time: counterOf(channel.responseTime),
    test_time: channel.testTime,
    balance: channel.balance,
    balance_updated_time: channel.balanceUpdatedTime,
    used_quota: counterOf(channel.usedQuota),
    created_time: channel.createdTime,
    proxy_sealed: proxy === '' ? '' : run.secrets.seal(proxy),
    test_model: channel.testModel,
    pool: Number(channel.isPool && keys.length > 1),
  }
}

const keysOf = ({ key }: Kept): string[] => [...new Set(key.split('\n').filter((line) => line !== ''))]

const statuses: readonly number[] = Object.values(channelStatus)

const statusOf = ({ status }: Kept): number => (statuses.includes(status) ? status : channelStatus.manuallyDisabled)
