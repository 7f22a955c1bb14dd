import { z } from 'zod'
import { endpoint } from '../contract.ts'
import { PageInput, pageOf } from '../pagination.ts'
import { priceUnits } from './prices.ts'

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
    unit: z.enum(priceUnits),
  }),
  /** Of the last 24 hours; null without requests. */
  first_byte_p50_ms: z.number().nullable(),
  /** The share of requests that were answered. */
  availability: z.number().nullable(),
})
export type CatalogueModel = z.output<typeof CatalogueModel>

export const modelsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/model/',
    access: 'public',
    summary: 'A page of the models the caller can reach; for visitors where the operator shows it',
    input: PageInput.extend({ keyword: z.string().trim().max(200).default('') }),
    output: pageOf(CatalogueModel),
  }),
}
