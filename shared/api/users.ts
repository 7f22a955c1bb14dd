import { z } from 'zod'
import { BatchIds, BatchStatus, batchChange, IdList } from '../batch.ts'
import { BudgetChange, BudgetFields } from '../budget.ts'
import { distinctNames } from '../comma-list.ts'
import { endpoint, Id } from '../contract.ts'
import { fault } from '../faults.ts'
import { PageInput, pageOf } from '../pagination.ts'
import { Quota } from '../quota.ts'

const codePoints = (value: string): number => [...value].length

export const usernameMax = 12
export const isNoAddress = (username: string): boolean => !/[@＠﹫]/.test(username)
export const displayNameMax = 20
const passwordMin = 8
const passwordMax = 20
export const defaultRootPassword = '123456'

/** A name as it may stand from before. */
export const KnownUsername = z
  .string(fault('username.required'))
  .trim()
  .min(1, fault('username.required'))
  .refine((value) => codePoints(value) <= usernameMax, fault('username.too_long', { max: usernameMax }))
  .refine((value) => !/[\s<>"'`\p{C}]/u.test(value), fault('username.characters'))

/** A name looks like no address, which log in too. */
export const Username = KnownUsername.refine(isNoAddress, fault('username.address'))

export const Password = z
  .string(fault('password.required'))
  .refine((value) => codePoints(value) >= passwordMin, fault('password.too_short', { min: passwordMin }))
  .refine((value) => codePoints(value) <= passwordMax, fault('password.too_long', { max: passwordMax }))

export const DisplayName = z
  .string()
  .trim()
  .refine((value) => codePoints(value) <= displayNameMax, fault('display_name.too_long', { max: displayNameMax }))

/** Comma-separated group names, tidied; empty means default. */
const GroupList = z
  .string()
  .max(1000, fault('group.list_too_long'))
  .transform((value) => {
    const names = distinctNames(value)
    return names.length === 0 ? 'default' : names.join(',')
  })
  .refine((value) => value.split(',').every((name) => name.length <= 32), fault('group.too_long', { max: 32 }))

export const User = z.object({
  id: z.number(),
  username: z.string(),
  password: z.literal(''),
  display_name: z.string(),
  role: z.number(),
  status: z.number(),
  email: z.string(),
  github_id: z.string(),
  wechat_id: z.string(),
  /** The subject at the login provider; '' when none is bound. */
  oidc_id: z.string(),
  quota: z.number(),
  used_quota: z.number(),
  request_count: z.number(),
  group: z.string(),
  aff_code: z.string(),
  inviter_id: z.number(),
  ...BudgetFields.shape,
})
export type User = z.output<typeof User>

export const userActions = ['promote', 'demote', 'delete', 'enable', 'disable', 'clear_second_factor'] as const
export const userOrders = ['', 'quota', 'used_quota', 'request_count'] as const

const Keyword = z.object({ keyword: z.string().trim().max(200).default('') })

export const usersApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/',
    access: 'admin',
    summary: 'A page of users',
    input: PageInput.extend({ order: z.enum(userOrders).default('') }),
    output: pageOf(User),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/user/search',
    access: 'admin',
    summary: 'Users whose id, username, display name or email contains the keyword',
    input: PageInput.extend(Keyword.shape).extend({ order: z.enum(userOrders).default('') }),
    output: pageOf(User),
  }),
  manage: endpoint({
    method: 'POST',
    path: '/api/user/manage',
    access: 'admin',
    summary: 'Promote, demote, delete, enable or disable a user',
    input: z.object({
      username: z.string(fault('username.required')).min(1, fault('username.required')).max(100),
      action: z.enum(userActions),
    }),
    output: z.object({ status: z.number(), role: z.number() }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/user/:id',
    access: 'admin',
    summary: 'One user',
    input: z.object({ id: Id }),
    output: User,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/user/',
    access: 'admin',
    summary: 'Create a user',
    input: z.object({ username: Username, display_name: DisplayName.optional(), password: Password }),
  }),
  batch: endpoint({
    method: 'PUT',
    path: '/api/user/batch',
    access: 'admin',
    summary: 'Change several users at once, all or none; answers how many',
    input: z.object({ ids: BatchIds, change: batchChange({ status: BatchStatus, group: GroupList }) }),
    output: z.number(),
  }),
  removeBatch: endpoint({
    method: 'DELETE',
    path: '/api/user/batch',
    access: 'admin',
    summary: 'Delete several users at once, all or none; answers how many',
    input: z.object({ ids: IdList }),
    output: z.number(),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/user/',
    access: 'admin',
    summary: 'Change a user; the quota changes by the difference to quota_before when that is given',
    input: z.object({
      id: Id,
      username: KnownUsername.optional(),
      display_name: DisplayName.optional(),
      password: z.union([Password, z.literal('')]).optional(),
      group: GroupList.optional(),
      quota: Quota.optional(),
      quota_before: Quota.optional(),
      ...BudgetChange.shape,
    }),
    ignores: Object.keys(User.shape),
  }),
}
