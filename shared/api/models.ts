import { z } from 'zod'
import { endpoint } from '../contract.ts'
import { PageInput, pageOf } from '../pagination.ts'
import { priceUnits } from './prices.ts'

export const hourStates = ['none', 'ok', 'failing'] as const

export const CatalogueModel = z.object({
  id: z.string(),
  vendor: z.string(),
  /** Tokens it can read and write; null when nobody says. */
  context: z.number().nullable(),
  max_output: z.number().nullable(),
  input: z.array(z.string()),
  features: z.array(z.string()),
  /** For the caller, the ratio of the group included. */
  price: z.object({
    input_usd: z.number().nullable(),
    cached_usd: z.number().nullable(),
    output_usd: z.number().nullable(),
    cache_write_usd: z.number().nullable(),
    unit: z.enum(priceUnits),
    /** From so many input tokens on, where long inputs cost more; empty where they do not. */
    tiers: z.array(
      z.object({
        above: z.number(),
        input_usd: z.number(),
        cached_usd: z.number(),
        cache_write_usd: z.number(),
        output_usd: z.number(),
      }),
    ),
  }),
  /** Of the last 24 hours; null without requests. */
  first_byte_p50_ms: z.number().nullable(),
  first_byte_p95_ms: z.number().nullable(),
  /** Tokens of answers, the wait for the first one included. */
  tokens_per_second: z.number().nullable(),
  requests: z.number(),
  /** The share of requests that were answered. */
  availability: z.number().nullable(),
  /** How it fared in each of the last 24 hours, the oldest first. */
  hours: z.array(z.enum(hourStates)),
})
export type CatalogueModel = z.output<typeof CatalogueModel>

export const modelsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/model/',
    access: 'public',
    summary: 'A page of the models the caller can reach; for visitors where the operator shows it',
    input: PageInput.extend({
      keyword: z.string().trim().max(200).default(''),
      vendor: z.string().trim().max(100).default(''),
      /** Something it reads, or a feature. */
      ability: z.string().trim().max(100).default(''),
    }),
    output: pageOf(CatalogueModel).extend({
      /** Of all models the caller can reach. */
      vendors: z.array(z.string()),
      abilities: z.array(z.string()),
      /** The groups of the caller, and what the cheapest of them multiplies list prices by. */
      groups: z.array(z.string()),
      group_ratio: z.number(),
    }),
  }),
}
