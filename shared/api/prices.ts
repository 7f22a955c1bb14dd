import { z } from 'zod'
import { endpoint } from '../contract.ts'
import { fault } from '../faults.ts'
import { PageInput, pageOf } from '../pagination.ts'

export const priceUnits = ['token', 'picture', 'character', 'second', 'request'] as const

/** Dollars per million tokens or characters, or per picture, second or request. */
const Amounts = z.object({
  input_usd: z.number().nullable(),
  output_usd: z.number().nullable(),
  cache_read_usd: z.number().nullable(),
  cache_write_usd: z.number().nullable(),
})

/** What was asked of a model in the last 30 days; money is quota. */
const PricedTraffic = z.object({
  quota: z.number(),
  cost: z.number(),
  prompt_tokens: z.number(),
  cached_tokens: z.number(),
  completion_tokens: z.number(),
})
export type PricedTraffic = z.output<typeof PricedTraffic>

export const PriceRow = Amounts.extend({
  model: z.string(),
  unit: z.enum(priceUnits),
  /** Set here, from the public lists, or by nobody: then requests for it are refused. */
  source: z.enum(['own', 'list', 'none']),
  /** The public price; null when no list knows the model. */
  list: Amounts.nullable(),
  /** By size or `quality/size`, the ordinary one first; they move with the input price. */
  pictures: z.array(z.object({ kind: z.string(), usd: z.number() })),
  /** How many channels carry it. */
  channels: z.number(),
  /** Some of their names. */
  carriers: z.array(z.string()),
  /** Requests refused for want of a price in the last 24 hours. */
  refused: z.number(),
  /** What the operator pays for its input through them, or for its unit. */
  cost_usd: z.object({ min: z.number(), max: z.number() }).nullable(),
  /** The share of the last 30 days' revenue that was left; null without any, and where no cost is known. */
  margin: z.number().nullable(),
  traffic: PricedTraffic.nullable(),
})
export type PriceRow = z.output<typeof PriceRow>

/** Over all models, whatever is looked for. */
const PriceCounts = z.object({
  priced: z.number(),
  own: z.number(),
  /** Carried by a channel. */
  used: z.number(),
  /** Carried by a channel, but without a price. */
  unpriced: z.number(),
})

const decimalsMax = 9
const usdMax = 1_000_000

const Usd = z
  .number()
  .min(0, fault('price.range', { max: usdMax }))
  .max(usdMax, fault('price.range', { max: usdMax }))
  .refine((value) => Number(value.toFixed(decimalsMax)) === value, fault('price.decimals', { max: decimalsMax }))

const Model = z
  .string()
  .trim()
  .min(1, fault('price.model'))
  .max(200, fault('model.too_long', { max: 200 }))

export const priceFormats = ['litellm', 'models.dev', 'openrouter', 'one-api'] as const
export type PriceFormat = (typeof priceFormats)[number]

const SyncPrice = Amounts.extend({ per_request_usd: z.number().nullable() })
export type SyncPrice = z.output<typeof SyncPrice>

export const SyncRow = z.object({
  model: z.string(),
  change: z.enum(['new', 'changed', 'same', 'gone']),
  old: SyncPrice.nullable(),
  new: SyncPrice.nullable(),
  /** The new price as it would be charged: what the source does not say follows the public price. */
  charged: SyncPrice.nullable(),
  /** By how much the input price changes; null when there is nothing to compare. */
  percent: z.number().nullable(),
  /** What is charged now was set here. */
  own: z.boolean(),
  /** Some channel carries it. */
  used: z.boolean(),
  traffic: PricedTraffic.nullable(),
})
export type SyncRow = z.output<typeof SyncRow>

const previewBytesMax = 8 * 1024 * 1024

export const pricesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/price/',
    access: 'admin',
    summary: 'A page of prices: those of models in use first',
    input: PageInput.extend({
      keyword: z.string().trim().max(200).default(''),
      source: z.enum(['own', 'list', 'none', '']).default(''),
      /** `used`: only models some channel carries. */
      view: z.enum(['used', '']).default(''),
    }),
    output: pageOf(PriceRow).extend({ counts: PriceCounts }),
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/price/',
    access: 'admin',
    summary: 'Set what a model costs, by the million tokens, by the unit it is sold in or by the request',
    input: z.object({
      model: Model,
      input_usd: Usd.optional(),
      output_usd: Usd.optional(),
      cache_read_usd: Usd.optional(),
      cache_write_usd: Usd.optional(),
      /** For a picture, a second or a million characters of a model that is sold so. */
      each_usd: Usd.optional(),
      per_request_usd: Usd.optional(),
    }),
    output: PriceRow,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/price/preview',
    access: 'admin',
    summary: 'What a public price list would change',
    input: z.object({
      format: z.enum(priceFormats),
      url: z.string().trim().max(2000).optional(),
      data: z.unknown().optional(),
    }),
    output: z.object({ id: z.string(), rows: z.array(SyncRow) }),
    bodyMax: previewBytesMax,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/price/apply',
    access: 'admin',
    summary: 'Make chosen rows of a preview so; answers how many',
    input: z.object({
      id: z.string().max(100),
      models: z.array(z.string().max(300)).min(1, fault('price.none')).max(20_000),
    }),
    output: z.number(),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/price/:model',
    access: 'admin',
    summary: 'Back to the list price',
    input: z.object({ model: Model }),
  }),
}
