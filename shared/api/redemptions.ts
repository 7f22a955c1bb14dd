import { z } from 'zod'
import { endpoint, Id } from '../contract.ts'
import { PageInput, pageOf } from '../pagination.ts'
import { Quota } from '../quota.ts'

export const redemptionDefaults = { name: '', quota: 100_000, count: 1 }
export const redemptionCountMax = 100

export const Redemption = z.object({
  id: z.number(),
  user_id: z.number(),
  key: z.string(),
  status: z.number(),
  name: z.string(),
  quota: z.number(),
  created_time: z.number(),
  redeemed_time: z.number(),
})
export type Redemption = z.output<typeof Redemption>

const Name = z
  .string('name is required')
  .trim()
  .min(1, 'name is required')
  .refine((value) => [...value].length <= 20, 'The name must be 1 to 20 long')

const Amount = Quota.refine((value) => value > 0, 'quota must be greater than 0')

export const redemptionsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/redemption/',
    access: 'admin',
    summary: 'A page of redemption codes',
    input: PageInput,
    output: pageOf(Redemption),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/redemption/search',
    access: 'admin',
    summary: 'Codes with this id, or whose name contains the keyword',
    input: PageInput.extend({ keyword: z.string().trim().max(200).default('') }),
    output: pageOf(Redemption),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/redemption/:id',
    access: 'admin',
    summary: 'One code',
    input: z.object({ id: Id }),
    output: Redemption,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/redemption/',
    access: 'admin',
    summary: 'Create codes; answers them',
    input: z.object({
      name: Name,
      quota: Amount.default(redemptionDefaults.quota),
      count: z
        .number('count must be a whole number')
        .int('count must be a whole number')
        .min(1, 'The number must be greater than 0')
        .max(redemptionCountMax, 'At most 100 codes at once')
        .default(redemptionDefaults.count),
    }),
    output: z.array(z.string()),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/redemption/',
    access: 'admin',
    summary: 'Change a code, or only its status with status_only',
    input: z.object({
      id: Id,
      name: Name.optional(),
      quota: Amount.optional(),
      /** 3 is accepted only where it is already so. */
      status: z.number().int().min(1, 'status must be 1 or 2').max(3, 'status must be 1 or 2').optional(),
      status_only: z.boolean().optional(),
    }),
    ignores: [...Object.keys(Redemption.shape), 'count'],
    output: Redemption,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/redemption/:id',
    access: 'admin',
    summary: 'Delete a code',
    input: z.object({ id: Id }),
  }),
}
