import type { UseFormReturnType } from '@mantine/form'
import type { z } from 'zod'
import { type Channel, ChannelChange, ChannelDraft } from '#shared/api/channels.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import { fieldNumber, numberOrNone, readDecimal } from '#web/lib/input/typed-number.ts'
import { validateWith } from '#web/lib/zod-form.ts'

/** A channel as the form holds it. */
export interface ChannelValues {
  name: string
  type: number
  key: string
  base_url: string
  other: string
  model_mapping: string
  models: string[]
  group: string[]
  priority: number | string
  weight: number | string
  rpm: number | string
  tpm: number | string
  parallel: number | string
  cost_ratio: number | string
  tags: string[]
  headers: string
  overrides: string
  proxy: string
  pool: boolean
  test_model: string
}

export type ChannelFormState = UseFormReturnType<ChannelValues>

export const newChannel: ChannelValues = {
  name: '',
  type: 1,
  key: '',
  base_url: '',
  other: '',
  model_mapping: '',
  models: [],
  group: ['default'],
  priority: 0,
  weight: 0,
  rpm: 0,
  tpm: 0,
  parallel: 0,
  cost_ratio: 1,
  tags: [],
  headers: '',
  overrides: '',
  proxy: '',
  pool: false,
  test_model: '',
}

const listOf = (text: string): string[] => text.split(',').filter(Boolean)

export const valuesOf = (channel: Channel): ChannelValues => ({
  name: channel.name,
  type: channel.type,
  key: '',
  base_url: channel.base_url,
  other: channel.other,
  model_mapping: channel.model_mapping,
  models: listOf(channel.models),
  group: listOf(channel.group || 'default'),
  priority: channel.priority,
  weight: channel.weight,
  rpm: channel.rpm,
  tpm: channel.tpm,
  parallel: channel.parallel,
  cost_ratio: channel.cost_ratio,
  tags: listOf(channel.tags),
  headers: channel.headers,
  overrides: channel.overrides,
  proxy: channel.proxy,
  pool: channel.pool,
  test_model: channel.test_model,
})

/** Blank numbers are left out, and so ignored. */
export function draftOf(values: ChannelValues): z.input<typeof ChannelDraft> {
  const { priority, weight, rpm, tpm, parallel, cost_ratio, models, group, tags, ...rest } = values
  return {
    ...rest,
    models: models.join(','),
    group: group.join(','),
    tags: tags.join(','),
    ...(priority === '' ? {} : { priority: fieldNumber(priority) }),
    ...(weight === '' ? {} : { weight: fieldNumber(weight) }),
    rpm: numberOrNone(rpm),
    tpm: numberOrNone(tpm),
    parallel: numberOrNone(parallel),
    ...(cost_ratio === '' ? {} : { cost_ratio: readDecimal(String(cost_ratio)) ?? Number.NaN }),
  }
}

/** A blank key keeps the one the channel has. */
export function changeOf(id: number, values: ChannelValues): z.input<typeof ChannelChange> {
  const { key, ...rest } = draftOf(values)
  return { id, ...rest, ...(key.trim() === '' ? {} : { key }) }
}

export const validateNew = (values: ChannelValues) => validateWith(ChannelDraft)(draftOf(values))

export const validateChange = (id: number) => (values: ChannelValues) =>
  validateWith(ChannelChange)(changeOf(id, values))

/** The free field after a change of type: an untouched default gives way to the default of the new type. */
export function otherFor(before: number, after: number, other: string): string {
  const untouched = other === '' || other === channelTypeOf(before)?.other?.defaultValue
  return untouched ? (channelTypeOf(after)?.other?.defaultValue ?? '') : other
}
