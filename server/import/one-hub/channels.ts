import { z } from 'zod'
import type { ChannelFacts, ForeignChannel } from '#server/import/form.ts'
import { code, flag, isSet, text } from '#server/import/source/cells.ts'
import { channelColumns } from '#server/import/source/family.ts'
import { channelFields } from '#server/import/source/family-rows.ts'
import { type RowOf, rowReader } from '#server/import/source/row-reader.ts'
import { bedrockMapping } from '#server/import/vendor-names.ts'
import { addressWith, cohereElsewhere, wholeAddress, withNamedDeployments } from '#server/import/whole-address.ts'
import { parseObject } from '#server/lib/json.ts'
import { withoutTrailing } from '#server/lib/text/without-trailing.ts'
import { successorOf } from './channel-types.ts'
import { mappingOf } from './mapping.ts'
import { namesWithoutPatterns } from './models.ts'
import { type OwnPaths, ownPaths } from './own-paths.ts'

export const SourceChannel = rowReader({
  ...channelColumns,
  tag: code,
  model_headers: code,
  custom_parameter: code,
  proxy: code,
  test_model: code,
  only_chat: flag,
  disabled_stream: text,
  plugin: text,
  deleted_at: isSet,
})
export type SourceChannel = RowOf<typeof SourceChannel>

/** The groups a channel serves: a group that is closed there cannot be closed here, so no channel has it. */
export interface ServedGroups {
  readonly open: string
  readonly hasClosed: boolean
}

export function channelOf(channel: SourceChannel, groups: ServedGroups): ForeignChannel {
  const { id, name } = channel
  if (channel.deleted_at) return { id, name, leftOut: 'it was deleted' }
  const plugin = Plugin.parse(parseObject(channel.plugin))
  const successor = successorOf(channel.type, {
    ownAddress: channel.base_url !== '',
    asOpenAi: plugin.use_openai_api.enable,
    version: channel.other,
  })
  if ('leftOut' in successor) return { id, name, leftOut: successor.leftOut }
  const { type, path, was, doubt } = successor
  const special = path === undefined ? (specials[channel.type]?.(channel) ?? {}) : {}
  const baseUrl = channel.base_url || successor.baseUrl
  const own: OwnPaths = channel.type === 8 ? ownPaths(baseUrl, plugin.customize) : {}
  const parameters = overridesOf(channel.custom_parameter)
  return {
    id,
    name,
    type,
    ...(was === undefined ? {} : { was }),
    key: channel.key,
    isPool: false,
    disabledKeys: [],
    baseUrl: own.address ?? (path === undefined ? baseUrl : addressWith(baseUrl, path)),
    other: path === undefined ? channel.other : '',
    modelMapping: mappingOf(channel.model_mapping).json,
    models: namesWithoutPatterns(channel.models).join(','),
    group: groups.open || channel.group,
    ...channelFields(channel),
    tags: channel.tag,
    headers: channel.model_headers === '{}' ? '' : channel.model_headers,
    overrides: parameters.json,
    proxy: channel.proxy,
    testModel: channel.test_model,
    remarks: [
      ...remarksOf(channel),
      ...(groups.open !== '' && groups.hasClosed
        ? ['closed groups of the channel are left out, so that they stay closed']
        : []),
    ],
    ...special,
    doubts: [
      ...(doubt === undefined ? [] : [doubt]),
      ...(groups.open === '' ? ['its groups are closed or gone'] : []),
      ...(special.doubts ?? []),
      ...parameters.doubts,
      ...(own.doubt === undefined ? [] : [own.doubt]),
    ],
  }
}

const Plugin = z.object({
  use_openai_api: z.object({ enable: z.boolean().catch(false) }).catch({ enable: false }),
  customize: z.record(z.string(), z.unknown()).catch({}),
})

const remarksOf = ({ type, base_url, models, only_chat, disabled_stream }: SourceChannel): string[] => [
  ...(type === 36 && base_url !== '' ? [cohereElsewhere] : []),
  ...(models.includes('*') ? ['patterns among the models of the channel are left out: name the models'] : []),
  ...(only_chat ? ['channel was passed over for requests with tools, and is not here'] : []),
  ...(/"/.test(disabled_stream) ? ['channel was passed over for streams of some models, and is not here'] : []),
]

/** Fields that say how the others are meant. */
const switches = ['overwrite', 'per_model', 'pre_add', 'stream']

function overridesOf(text: string): { readonly json: string; readonly doubts: readonly string[] } {
  if (text === '' || text === '{}') return { json: '', doubts: [] }
  const given = parseObject(text)
  if (Object.keys(given).length === 0) return { json: '', doubts: ['its parameters are no JSON object'] }
  if (given.per_model === true) return { json: '', doubts: ['its parameters differ by model'] }
  const fields = Object.fromEntries(Object.entries(given).filter(([name]) => !switches.includes(name)))
  if (Object.keys(fields).length === 0) return { json: '', doubts: [] }
  return { json: JSON.stringify(given.overwrite === true ? { set: fields } : { default: fields }), doubts: [] }
}

type Special = (channel: SourceChannel) => Partial<ChannelFacts>

/** Vendors whose credentials or addresses are written in another way, by the number one-hub gives them. */
const specials: Readonly<Record<number, Special>> = {
  3: ({ base_url, models, model_mapping }) => ({ baseUrl: withNamedDeployments(base_url, models, model_mapping) }),
  32: ({ key, models, model_mapping }) => {
    const [region = '', id = '', secret = '', session = ''] = key.split('|')
    const mapping = mappingOf(model_mapping).json
    return {
      key: [id, secret, region].join('|'),
      baseUrl: '',
      modelMapping: bedrockMapping({ models, mapping, region, withProfiles: false }),
      doubts: secret === '' || session !== '' ? ['only an access key with its secret is known here'] : [],
    }
  },
  35: ({ key, base_url }) => {
    const [account = '', token = ''] = key.split('|')
    return {
      key: token,
      other: account,
      baseUrl: '',
      doubts: base_url === '' ? [] : ['its own address has no place here'],
    }
  },
  40: ({ key }) => ({ key: `0|${key}` }),
  42: ({ key, other, base_url }) => {
    const [region = '', project = ''] = other.split('|')
    return {
      other: region,
      baseUrl: '',
      doubts: [
        ...(parseObject(key).project_id === project ? [] : ['the project is not that of the service account']),
        ...(base_url === '' ? [] : ['its own address has no place here']),
      ],
    }
  },
  // Each model has an address of its own there, which takes the key as it is too.
  54: ({ base_url }) => ({
    other: '',
    baseUrl: base_url && wholeAddress(`${withoutTrailing(base_url, '/')}/serving-endpoints/{model}/invocations`),
  }),
  55: () => ({ other: 'v1' }),
}
