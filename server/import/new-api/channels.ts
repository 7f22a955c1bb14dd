import type { ChannelFacts, ForeignChannel } from '#server/import/form.ts'
import { channelFields } from '#server/import/source/family-rows.ts'
import type { Successor } from '#server/import/successor.ts'
import { bedrockMapping, vertexMapping } from '#server/import/vendor-names.ts'
import {
  addressWith,
  cohereElsewhere,
  miniMaxAddress,
  wholeAddress,
  withNamedDeployments,
} from '#server/import/whole-address.ts'
import { parseObject } from '#server/lib/json.ts'
import { channelTypes, plans } from './channel-types.ts'
import { keysOf } from './key-pools.ts'
import { requestChangesOf } from './request-changes.ts'
import type { SourceChannel } from './rows.ts'

export function channelOf(channel: SourceChannel): ForeignChannel {
  const { id, name } = channel
  const successor = channelTypes[channel.type] ?? { leftOut: `type ${channel.type} is not known` }
  if ('leftOut' in successor) return { id, name, leftOut: successor.leftOut }
  const { headerSet, doubts, ...changes } = requestChangesOf(channel)
  const { headerSet: added, ...special } = specials[channel.type]?.(channel) ?? {}
  const place = placeOf(channel, successor)
  const keys = keysOf(channel)
  const headers = { ...headerSet, ...added }
  return {
    id,
    name,
    type: successor.type,
    ...(successor.was === undefined ? {} : { was: successor.was }),
    other: channel.other,
    modelMapping: channel.model_mapping,
    models: channel.models,
    group: channel.group,
    ...channelFields(channel),
    tags: channel.tag,
    testModel: channel.test_model,
    ...keys,
    ...changes,
    ...place,
    ...special,
    headers: Object.keys(headers).length === 0 ? '' : JSON.stringify(headers),
    doubts: [...keys.doubts, ...doubts, ...(special.doubts ?? [])],
    remarks: [...changes.remarks, ...(special.remarks ?? [])],
  }
}

type Placed = Pick<ChannelFacts, 'baseUrl'> & Partial<Pick<ChannelFacts, 'type' | 'was'>>

/** Where the channel points: its own address, with the path its program put behind it. */
function placeOf({ type, base_url: own }: SourceChannel, successor: Exclude<Successor, { leftOut: string }>): Placed {
  const plan = plans[own]
  if (plan !== undefined) return { type: 8, was: own, baseUrl: addressWith(plan, '') }
  if (type === 8) return customAddress(own)
  const baseUrl = own || successor.baseUrl
  return { baseUrl: successor.path === undefined ? baseUrl : addressWith(baseUrl, successor.path) }
}

/** Custom channels there hold the whole address, to which everything is sent; it may have the model in it. */
function customAddress(address: string): Placed {
  const task = '/chat/completions'
  if (address === '') return { baseUrl: '' }
  return { baseUrl: address.endsWith(task) ? addressWith(address.slice(0, -task.length), '') : wholeAddress(address) }
}

type Special = Partial<ChannelFacts> & { readonly headerSet?: Record<string, string> }

/** Azure channels made since May 10th 2025 keep the dots in the names of deployments. */
const dotsKept = 1_746_835_200

/** What only some types have, by their numbers there. */
const specials: Readonly<Record<number, (channel: SourceChannel) => Special>> = {
  3: ({ other, base_url, models, model_mapping, created_time }) => ({
    other: other || '2025-04-01-preview',
    ...(created_time >= dotsKept ? { baseUrl: withNamedDeployments(base_url, models, model_mapping) } : {}),
  }),
  33: ({ key, models, model_mapping: mapping }) => {
    const [, , region = '', ...rest] = key.split('\n')[0]?.split('|') ?? []
    const isPair = region !== '' && rest.length === 0
    return {
      baseUrl: '',
      modelMapping: bedrockMapping({ models, mapping, region, withProfiles: true }),
      doubts: isPair ? [] : ['its key is not AccessKeyId|SecretAccessKey|Region'],
    }
  },
  34: ({ base_url }) => (base_url === '' ? {} : { remarks: [cohereElsewhere] }),
  35: ({ base_url }) => ({ baseUrl: miniMaxAddress(base_url) }),
  41: ({ other, models, model_mapping, settings }) => {
    const { region, doubts } = regionOf(other)
    const byKey =
      parseObject(settings).vertex_key_type === 'api_key' ? ['an API key of Vertex AI is not supported'] : []
    return { other: region, modelMapping: vertexMapping(models, model_mapping), doubts: [...doubts, ...byKey] }
  },
  46: ({ key }) => {
    const [first = '', appId = ''] = key.split('|')
    return key.includes('\n') || appId === '' ? {} : { key: first, headerSet: { appid: appId } }
  },
  47: ({ base_url }) => (base_url === '' ? { doubts: ['base URL missing'] } : {}),
}

/** One region for all models, or several by model. */
function regionOf(other: string): { region: string; doubts: string[] } {
  if (!other.trim().startsWith('{')) return { region: other, doubts: [] }
  const regions = parseObject(other)
  const region = typeof regions.default === 'string' ? regions.default : 'global'
  const isOne = Object.values(regions).every((each) => each === region)
  return { region, doubts: isOne ? [] : ['it has regions by model, of which one is kept'] }
}
