import { z } from 'zod'
import type { ChannelFacts, ForeignChannel } from '#server/import/form.ts'
import { channelFields } from '#server/import/source/family-rows.ts'
import { bedrockMapping, vertexMapping } from '#server/import/vendor-names.ts'
import { addressWith, cohereElsewhere, miniMaxAddress } from '#server/import/whole-address.ts'
import { parseObject } from '#server/lib/json.ts'
import { successorOf } from './channel-types.ts'
import type { SourceChannel } from './rows.ts'

export function channelOf(channel: SourceChannel): ForeignChannel {
  const { id, name } = channel
  if (channel.deleted_at) return { id, name, leftOut: 'it was deleted' }
  const successor = successorOf(channel)
  if ('leftOut' in successor) return { id, name, leftOut: successor.leftOut }
  const { type, path, was } = successor
  const settings = Settings.parse(parseObject(channel.config))
  const baseUrl = channel.base_url || successor.baseUrl
  const special = specials[type]?.(channel, settings) ?? {}
  return {
    id,
    name,
    type,
    ...(was === undefined ? {} : { was }),
    key: channel.key,
    isPool: false,
    disabledKeys: [],
    baseUrl: path === undefined ? baseUrl : addressWith(baseUrl, path),
    other: otherOf(channel, settings, type),
    modelMapping: channel.model_mapping,
    models: channel.models,
    group: channel.group,
    ...channelFields(channel),
    tags: '',
    headers: '',
    overrides: '',
    proxy: '',
    testModel: '',
    doubts: [],
    remarks: channel.system_prompt === '' ? [] : ['system prompt of the channel is not used here'],
    ...special,
  }
}

const word = z.string().catch('')
const Settings = z.object({
  api_version: word,
  library_id: word,
  plugin: word,
  region: word,
  ak: word,
  sk: word,
  user_id: word,
  vertex_ai_project_id: word,
  vertex_ai_adc: word,
})
type Settings = z.output<typeof Settings>

/** Newer versions keep per-type settings as JSON, which comes before the old field. */
function otherOf({ other }: SourceChannel, settings: Settings, type: number): string {
  const byType: Record<number, string> = {
    3: settings.api_version,
    17: settings.plugin,
    18: settings.api_version,
    21: settings.library_id,
    24: settings.api_version,
    33: settings.region,
    41: settings.user_id,
  }
  return byType[type] || other
}

type Special = (channel: SourceChannel, settings: Settings) => Partial<ChannelFacts>

/** Vendors whose credentials lie in the settings, or whose paths are their own. */
const specials: Readonly<Record<number, Special>> = {
  27: ({ base_url: own }) => ({ baseUrl: miniMaxAddress(own) }),
  32: ({ models, model_mapping: mapping }, { ak, sk, region }) => ({
    key: [ak, sk, region].join('|'),
    baseUrl: '',
    modelMapping: bedrockMapping({ models, mapping, region, withProfiles: false }),
    doubts: [ak, sk, region].includes('') ? ['access key, secret or region missing'] : [],
  }),
  33: ({ models, model_mapping }, { vertex_ai_adc: adc, vertex_ai_project_id: project }) => ({
    key: adc,
    baseUrl: '',
    modelMapping: vertexMapping(models, model_mapping),
    doubts: parseObject(adc).project_id === project ? [] : ['the project is not that of the service account'],
  }),
  40: ({ base_url: own }) => (own === '' ? {} : { remarks: [cohereElsewhere] }),
  41: ({ base_url: own }) =>
    own.startsWith('https://gateway.ai.cloudflare.com') ? { type: 8, other: '', baseUrl: addressWith(own, '/v1') } : {},
}
