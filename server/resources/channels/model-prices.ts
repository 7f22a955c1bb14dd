import { toNumber } from '#server/billing/pricing/decimal.ts'
import type { ModelPrice } from '#server/billing/pricing/model-price.ts'
import { priceBookOf } from '#server/billing/pricing/price-book.ts'
import type { Context } from '#server/context.ts'
import { parseObject, textOf } from '#server/lib/json.ts'
import type { channelsApi } from '#shared/api/channels.ts'
import { channelTypes } from '#shared/channel-types.ts'
import { distinctNames } from '#shared/comma-list.ts'
import type { OutputOf } from '#shared/contract.ts'
import { quotaPerUnitDefault } from '#shared/quota.ts'
import type { ChannelRow } from './channels.store.ts'

type Options = Pick<Context, 'options'>

/** Models nobody could be charged for: neither the name itself nor the one it is mapped to has a price. */
export function unpricedModels(ctx: Options, { models, model_mapping }: Pick<ChannelRow, 'models' | 'model_mapping'>) {
  const book = priceBookOf(ctx.options())
  const mapping = parseObject(model_mapping)
  return distinctNames(models).filter((model) => {
    const mapped = textOf(Object.hasOwn(mapping, model) ? mapping[model] : undefined)
    return book.priceOf(model) === null && (mapped === undefined || book.priceOf(mapped) === null)
  })
}

type ListedPrice = OutputOf<typeof channelsApi.prices>[number]

const usd = (quota: number): number => Number((quota / quotaPerUnitDefault).toPrecision(12))

const million = 1_000_000

/** In dollars, for the amount that public price lists name. */
const listed: Record<ModelPrice['unit'], (price: ModelPrice) => Omit<ListedPrice, 'model'>> = {
  token: ({ tiers: [{ modelRatio, ratios }] }) => ({
    input: usd(modelRatio * million),
    output: usd(modelRatio * ratios.output * million),
    unit: 'million tokens',
  }),
  picture: ({ perPicture }) => ({ input: usd(toNumber(perPicture)), output: null, unit: 'picture' }),
  character: ({ perCharacter }) => ({
    input: usd(toNumber(perCharacter) * million),
    output: null,
    unit: 'million characters',
  }),
  second: ({ perSecond }) => ({ input: usd(toNumber(perSecond)), output: null, unit: 'second' }),
  request: ({ perRequest }) => ({ input: usd(perRequest ? toNumber(perRequest) : 0), output: null, unit: 'request' }),
}

export function pricesOf(ctx: Options, models: string): ListedPrice[] {
  const book = priceBookOf(ctx.options())
  return distinctNames(models).map((model) => {
    const price = book.priceOf(model)
    return price ? { model, ...listed[price.unit](price) } : { model, input: null, output: null, unit: '' }
  })
}

/** Every model name of the built-in lists, with the first kind of channel that has it. */
export function knownModels(): OutputOf<typeof channelsApi.models> {
  const owners = new Map<string, string>()
  for (const { label, models } of channelTypes) {
    for (const model of models) if (!owners.has(model)) owners.set(model, label)
  }
  return [...owners].map(([id, owned_by]) => ({ id, object: 'model', owned_by }))
}
