import { z } from 'zod'
import { BatchIds, BatchStatus, batchChange, IdList } from '../batch.ts'
import { BudgetChange, BudgetFields, type BudgetPeriod, BudgetPeriod as BudgetPeriodField } from '../budget.ts'
import { endpoint, Id } from '../contract.ts'
import { Expiry } from '../expiry.ts'
import { fault } from '../faults.ts'
import { Limit, LimitChange, LimitFields } from '../limits.ts'
import { PageInput, pageOf } from '../pagination.ts'
import { Quota } from '../quota.ts'
import { isSubnet } from '../subnet.ts'

export const tokensPerUserMax = 1000
/** Seconds. */
const graceMax = 604_800

export const tokenDefaults = {
  name: '',
  remain_quota: 500_000,
  expired_time: -1,
  unlimited_quota: false,
  models: '',
  subnet: '',
  team_id: 0,
  group: '',
  budget: 0,
  budget_period: 'month' as BudgetPeriod,
  rpm: 0,
  tpm: 0,
  parallel: 0,
}

export const Token = z.object({
  id: z.number(),
  user_id: z.number(),
  /** In clear, without the `sk-` prefix; only the owner ever gets it. */
  key: z.string(),
  status: z.number(),
  name: z.string(),
  created_time: z.number(),
  accessed_time: z.number(),
  expired_time: z.number(),
  remain_quota: z.number(),
  unlimited_quota: z.boolean(),
  used_quota: z.number(),
  models: z.string(),
  subnet: z.string(),
  /** The team whose wallet pays; 0: its owner does. */
  team_id: z.number(),
  /** Those of its owner's groups that it uses, comma-separated; '' : all. */
  group: z.string(),
  ...BudgetFields.shape,
  ...LimitFields.shape,
  /** Until when the key before the last rotation works; 0 when it does not. */
  previous_key_expires: z.number(),
  /** What counts on its limits now; with one token alone. */
  rpm_used: z.number().optional(),
  tpm_used: z.number().optional(),
  parallel_used: z.number().optional(),
})
export type Token = z.output<typeof Token>

const TokenName = z
  .string(fault('token_name.required'))
  .trim()
  .min(1, fault('token_name.required'))
  .refine((value) => [...value].length <= 30, fault('token_name.too_long', { max: 30 }))

const commaList = (max: number) =>
  z
    .string()
    .max(max)
    .transform((value) => value.split(',').map((part) => part.trim()))
    .transform((parts) => [...new Set(parts.filter(Boolean))])

const TeamId = z.number(fault('team.not')).int(fault('team.not')).min(0, fault('team.not')).max(Number.MAX_SAFE_INTEGER)
const TokenGroup = z
  .string()
  .trim()
  .max(32, fault('group.too_long', { max: 32 }))

const limits = {
  /** Comma-separated model names the token may use; empty means all. */
  models: commaList(10_000).transform((names) => names.join(',')),
  /** Comma-separated CIDR ranges the token may be used from; empty means any. */
  subnet: commaList(2000)
    .refine((ranges) => ranges.every(isSubnet), fault('subnet.not'))
    .transform((ranges) => ranges.join(',')),
}

export const TokenDraft = z.object({
  name: TokenName,
  remain_quota: Quota.default(tokenDefaults.remain_quota),
  expired_time: Expiry.default(tokenDefaults.expired_time),
  unlimited_quota: z.boolean().default(tokenDefaults.unlimited_quota),
  models: limits.models.default(''),
  subnet: limits.subnet.default(''),
  team_id: TeamId.default(0),
  group: TokenGroup.default(''),
  budget: Quota.default(0),
  budget_period: BudgetPeriodField.default('month'),
  rpm: Limit.default(0),
  tpm: Limit.default(0),
  parallel: Limit.default(0),
})

const TokenChange = z.object({
  id: Id,
  name: TokenName.optional(),
  remain_quota: Quota.optional(),
  expired_time: Expiry.optional(),
  unlimited_quota: z.boolean().optional(),
  models: limits.models.optional(),
  subnet: limits.subnet.optional(),
  team_id: TeamId.optional(),
  group: TokenGroup.optional(),
  ...BudgetChange.shape,
  ...LimitChange.shape,
  /** 3 and 4 are accepted only where it is already so. */
  status: z.number().int().min(1, fault('status.one_or_two')).max(4, fault('status.one_or_two')).optional(),
  status_only: z.boolean().optional(),
})

export const tokenOrders = ['', 'remain_quota', 'used_quota'] as const
const Listing = PageInput.extend({
  order: z.enum(tokenOrders).default(''),
  /** Those of a team: all of them for its managers, without their keys. 0: those that spend from the own wallet. */
  team_id: z.coerce.number(fault('team.not')).int(fault('team.not')).min(0, fault('team.not')).optional(),
})

export const tokensApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/token/',
    access: 'user',
    summary: 'A page of own tokens',
    input: Listing,
    output: pageOf(Token),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    summary: 'Own tokens whose name contains the keyword',
    input: Listing.extend({ keyword: z.string().trim().max(200).default('') }),
    output: pageOf(Token),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/token/:id',
    access: 'user',
    summary: 'One own token',
    input: z.object({ id: Id }),
    output: Token,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/token/',
    access: 'user',
    summary: 'Create a token',
    input: TokenDraft,
    ignores: Object.keys(Token.shape),
    output: Token,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/token/',
    access: 'user',
    summary: 'Change a token, or only its status with status_only',
    input: TokenChange,
    ignores: Object.keys(Token.shape),
    output: Token,
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/token/:id/rotate',
    access: 'user',
    summary: 'Give a token a new key; the old one works for `grace` more seconds',
    input: z.object({
      id: Id,
      grace: z
        .number(fault('grace.not'))
        .int(fault('grace.not'))
        .min(0, fault('grace.not'))
        .max(graceMax, fault('grace.not'))
        .default(0),
    }),
    output: Token,
  }),
  endGrace: endpoint({
    method: 'POST',
    path: '/api/token/:id/rotate/end',
    access: 'user',
    summary: 'End the key before the last rotation now',
    input: z.object({ id: Id }),
    output: Token,
  }),
  batch: endpoint({
    method: 'PUT',
    path: '/api/token/batch',
    access: 'user',
    summary: 'Change several tokens at once, all or none; answers how many',
    input: z.object({ ids: BatchIds, change: batchChange({ status: BatchStatus, expired_time: Expiry }) }),
    output: z.number(),
  }),
  removeBatch: endpoint({
    method: 'DELETE',
    path: '/api/token/batch',
    access: 'user',
    summary: 'Delete several tokens at once, all or none; answers how many',
    input: z.object({ ids: IdList }),
    output: z.number(),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/token/:id',
    access: 'user',
    summary: 'Delete a token',
    input: z.object({ id: Id }),
  }),
}
