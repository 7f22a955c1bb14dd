import { z } from 'zod'
import { endpoint, Id } from '../contract.ts'
import { fault } from '../faults.ts'
import { PageInput, pageOf } from '../pagination.ts'
import { Quota } from '../quota.ts'
import { isSubnet } from '../subnet.ts'

export const tokensPerUserMax = 1000

export const tokenDefaults = {
  name: '',
  remain_quota: 500_000,
  expired_time: -1,
  unlimited_quota: false,
  models: '',
  subnet: '',
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
})
export type Token = z.output<typeof Token>

export const TokenName = z
  .string(fault('token_name.required'))
  .trim()
  .min(1, fault('token_name.required'))
  .refine((value) => [...value].length <= 30, fault('token_name.too_long', { max: 30 }))

/** Epoch seconds; -1 means never. */
export const Expiry = z
  .number(fault('expiry.not'))
  .int(fault('expiry.not'))
  .max(100_000_000_000, fault('expiry.not'))
  .refine((value) => value === -1 || value > 0, fault('expiry.not'))

const commaList = (max: number) =>
  z
    .string()
    .max(max)
    .transform((value) => value.split(',').map((part) => part.trim()))
    .transform((parts) => [...new Set(parts.filter(Boolean))])

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
})

export const TokenChange = z.object({
  id: Id,
  name: TokenName.optional(),
  remain_quota: Quota.optional(),
  expired_time: Expiry.optional(),
  unlimited_quota: z.boolean().optional(),
  models: limits.models.optional(),
  subnet: limits.subnet.optional(),
  /** 3 and 4 are accepted only where it is already so. */
  status: z.number().int().min(1, fault('status.one_or_two')).max(4, fault('status.one_or_two')).optional(),
  status_only: z.boolean().optional(),
})

export const tokenOrders = ['', 'remain_quota', 'used_quota'] as const
const Listing = PageInput.extend({ order: z.enum(tokenOrders).default('') })

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
  remove: endpoint({
    method: 'DELETE',
    path: '/api/token/:id',
    access: 'user',
    summary: 'Delete a token',
    input: z.object({ id: Id }),
  }),
}
