import type { Insertable } from 'kysely'
import { z } from 'zod'
import type { ChannelsTable } from '#server/db/tables.ts'
import { parseObject } from '#server/lib/json.ts'
import { insertChannel } from '#server/resources/channels/channels.store.ts'
import { ChannelDraft } from '#shared/api/channels.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import { channelStatus } from '#shared/statuses.ts'
import { foreignChannelTypes } from './foreign-channel-types.ts'
import { counterOf, type ImportRun, tidyList } from './import-run.ts'
import { SourceChannel } from './rows.ts'
import { pages } from './source.ts'

/** Channels with the models they name; the table of abilities is not read, for it may list the dead. */
export async function importChannels(run: ImportRun): Promise<void> {
  for await (const page of pages(run.source, 'channels', SourceChannel)) {
    for (const channel of page) {
      const place = placeOf(run, channel)
      if (!place) continue
      await insertChannel(run.tx, { id: channel.id, ...channelRow(run, channel, place) })
      run.report.count('channels')
    }
  }
}

interface Place {
  readonly type: number
  readonly baseUrl: string
  /** Reasons why a person should look before it is used. */
  readonly doubts: readonly string[]
}

/** Which of our types the channel becomes and where it points, or null when we have nothing like it. */
function placeOf({ report }: ImportRun, channel: SourceChannel): Place | null {
  const subject = `channel ${channel.id}`
  const given = ChannelDraft.shape.base_url.safeParse(channel.base_url)
  const unreadable = given.success ? [] : ['base URL not understood']
  const own = given.success ? given.data : channel.base_url
  // Numbers above 31 mean something else there than with us.
  const known = channel.type in foreignChannelTypes ? undefined : channelTypeOf(channel.type)
  if (known) {
    const missing = known.baseUrl === '' && own === '' ? ['base URL missing'] : []
    return { type: channel.type, baseUrl: own, doubts: [...unreadable, ...missing] }
  }
  const successor = foreignChannelTypes[channel.type] ?? { skipped: String(channel.type) }
  if ('skipped' in successor) {
    report.note(`channel type ${successor.skipped} is not supported, left out`, subject)
    return null
  }
  const label = channelTypeOf(successor.type)?.label ?? ''
  report.note(`channel type ${channel.type} became ${label}`, subject)
  const baseUrl = successor.baseUrl === '' && successor.check !== true ? '' : own || successor.baseUrl
  const uncertain = successor.check === true && !/\/v\d+$/.test(baseUrl) ? ['base URL to be checked'] : []
  return { type: successor.type, baseUrl, doubts: [...unreadable, ...uncertain] }
}

function channelRow(run: ImportRun, channel: SourceChannel, place: Place): Insertable<ChannelsTable> {
  const subject = `channel ${channel.id}`
  for (const doubt of place.doubts) run.report.note(`${doubt}, channel disabled`, subject)
  if (channel.system_prompt !== '') run.report.note('system prompt of the channel is not used here', subject)
  const models = tidyList(channel.models)
  if (models === '') run.report.note('channel has no models', subject)
  const status = channel.status in statuses ? channel.status : channelStatus.manuallyDisabled
  return {
    name: channel.name.trim() || subject,
    type: place.type,
    key_sealed: run.secrets.seal(channel.key),
    key_hash: run.secrets.hash(channel.key),
    base_url: place.baseUrl,
    other: otherOf(channel, place.type),
    model_mapping: mappingOf(run, channel, subject),
    models,
    group: tidyList(channel.group) || 'default',
    status: place.doubts.length > 0 ? channelStatus.manuallyDisabled : status,
    priority: channel.priority,
    weight: counterOf(channel.weight),
    response_time: counterOf(channel.response_time),
    test_time: channel.test_time,
    balance: channel.balance,
    balance_updated_time: channel.balance_updated_time,
    used_quota: counterOf(channel.used_quota),
    created_time: channel.created_time,
  }
}

const statuses = Object.fromEntries(Object.values(channelStatus).map((status) => [status, true]))

const Settings = z.object({ api_version: z.string(), library_id: z.string(), plugin: z.string() }).partial().catch({})

/** Newer versions keep per-type settings as JSON, which comes before the old field. */
function otherOf({ config, other }: SourceChannel, type: number): string {
  const settings = Settings.parse(parseObject(config))
  const byType: Record<number, string | undefined> = {
    3: settings.api_version,
    17: settings.plugin,
    18: settings.api_version,
    21: settings.library_id,
    24: settings.api_version,
  }
  return byType[type] || other || (channelTypeOf(type)?.other?.defaultValue ?? '')
}

function mappingOf({ report }: ImportRun, { model_mapping: mapping }: SourceChannel, subject: string): string {
  const checked = ChannelDraft.shape.model_mapping.safeParse(mapping)
  if (checked.success) return checked.data
  report.note('model mapping is no valid JSON, cleared', subject)
  return ''
}
