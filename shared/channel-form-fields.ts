import { z } from 'zod'
import {
  BaseUrl,
  ExtraHeaders,
  Groups,
  ModelMapping,
  Models,
  Overrides,
  Priority,
  ProxyAddress,
  Tags,
  Weight,
} from './channel-fields.ts'
import { isChannelType } from './channel-types.ts'
import { fault } from './faults.ts'
import { Limit } from './limits.ts'

export const nameAndKey = fault('channel.name_and_key')

/** What is asked of a channel, field by field. */
export const channelFields = {
  name: z
    .string(nameAndKey)
    .trim()
    .min(1, nameAndKey)
    .max(100, fault('channel.name_too_long', { max: 100 })),
  type: z.number().refine(isChannelType, fault('channel.type')),
  base_url: BaseUrl,
  other: z.string().trim().max(500),
  model_mapping: ModelMapping,
  models: Models,
  group: Groups,
  priority: Priority,
  weight: Weight,
  cost_ratio: z
    .number()
    .min(0, fault('number.between', { min: 0, max: 1000 }))
    .max(1000, fault('number.between', { min: 0, max: 1000 })),
  rpm: Limit,
  tpm: Limit,
  parallel: Limit,
  tags: Tags,
  headers: ExtraHeaders,
  overrides: Overrides,
  proxy: ProxyAddress,
  pool: z.boolean(),
  test_model: z.string().trim().max(200),
}
