import { z } from 'zod'
import { BatchIds, BatchStatus, batchChange, IdList } from '../batch.ts'
import { endpoint, Id } from '../contract.ts'
import { ExpiryOrNone } from '../expiry.ts'
import { fault } from '../faults.ts'
import { PageInput, pageOf } from '../pagination.ts'
import { Quota } from '../quota.ts'

export const redemptionDefaults = { name: '', quota: 100_000, count: 1, expired_time: 0 }
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
  /** Who used it; 0 and '' while nobody has, or when the account is gone. */
  redeemed_by: z.number(),
  redeemed_by_name: z.string(),
  /** Epoch seconds after which it is worth nothing; 0: never. */
  expired_time: z.number(),
})
export type Redemption = z.output<typeof Redemption>

const Name = z
  .string(fault('redemption.name_required'))
  .trim()
  .min(1, fault('redemption.name_required'))
  .refine((value) => [...value].length <= 20, fault('redemption.name_length', { max: 20 }))

const Amount = Quota.refine((value) => value > 0, fault('quota.zero'))

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
        .number(fault('redemption.count_whole'))
        .int(fault('redemption.count_whole'))
        .min(1, fault('redemption.count_zero'))
        .max(redemptionCountMax, fault('redemption.count_max', { max: redemptionCountMax }))
        .default(redemptionDefaults.count),
      expired_time: ExpiryOrNone.default(redemptionDefaults.expired_time),
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
      expired_time: ExpiryOrNone.optional(),
      /** 3 is accepted only where it is already so. */
      status: z.number().int().min(1, fault('status.one_or_two')).max(3, fault('status.one_or_two')).optional(),
      status_only: z.boolean().optional(),
    }),
    ignores: [...Object.keys(Redemption.shape), 'count'],
    output: Redemption,
  }),
  batch: endpoint({
    method: 'PUT',
    path: '/api/redemption/batch',
    access: 'admin',
    summary: 'Change several codes at once, all or none; answers how many',
    input: z.object({ ids: BatchIds, change: batchChange({ status: BatchStatus, expired_time: ExpiryOrNone }) }),
    output: z.number(),
  }),
  removeBatch: endpoint({
    method: 'DELETE',
    path: '/api/redemption/batch',
    access: 'admin',
    summary: 'Delete several codes at once, all or none; answers how many',
    input: z.object({ ids: IdList }),
    output: z.number(),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/redemption/:id',
    access: 'admin',
    summary: 'Delete a code',
    input: z.object({ id: Id }),
  }),
}
