import { z } from 'zod'
import { endpoint } from '../contract.ts'
import { OwnProfile } from './auth.ts'
import { User } from './users.ts'

export const accountApi = {
  self: endpoint({
    method: 'GET',
    path: '/api/user/self',
    access: 'user',
    own: true,
    summary: 'The own account',
    output: User,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/user/self',
    access: 'user',
    own: true,
    summary: 'Change the own profile; a new password ends all other sessions',
    input: OwnProfile,
    ignores: Object.keys(User.shape),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/user/self',
    access: 'user',
    own: true,
    summary: 'Delete the own account and everything that belongs to it',
  }),
  accessToken: endpoint({
    method: 'GET',
    path: '/api/user/token',
    access: 'user',
    own: true,
    summary: 'Make a new system access token; the former one stops working',
    output: z.string(),
    changes: true,
  }),
  affiliateCode: endpoint({
    method: 'GET',
    path: '/api/user/aff',
    access: 'user',
    own: true,
    summary: 'The own invitation code',
    output: z.string(),
  }),
  topUp: endpoint({
    method: 'POST',
    path: '/api/user/topup',
    access: 'user',
    summary: 'Redeem a code; answers the added quota',
    input: z.object({ key: z.string().trim().max(200).default('') }),
    output: z.number(),
  }),
}
