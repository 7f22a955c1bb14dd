import { z } from 'zod'
import { endpoint } from '../contract.ts'
import { fault } from '../faults.ts'
import { OwnerProof } from './proof.ts'
import { DisplayName, KnownUsername, Password, Username } from './users.ts'

export const LoginUser = z.object({
  id: z.number(),
  username: z.string(),
  display_name: z.string(),
  role: z.number(),
  status: z.number(),
})
export type LoginUser = z.output<typeof LoginUser>

const secondFactors = ['totp', 'passkey'] as const

/** The password was right; one of these has to follow, with the ticket. */
export const SecondFactorDue = z.object({ second_factor: z.array(z.enum(secondFactors)), ticket: z.string() })
export type SecondFactorDue = z.output<typeof SecondFactorDue>

/** Compared and kept in lower case. */
export const Email = z
  .string(fault('email.not'))
  .trim()
  .toLowerCase()
  .max(100, fault('email.too_long'))
  .pipe(z.email(fault('email.not')))

const required = (name: 'username' | 'password' | 'code' | 'token') =>
  z
    .string(fault(`${name}.required`))
    .min(1, fault(`${name}.required`))
    .max(1000)

export const Login = z.object({ username: required('username').max(100), password: required('password').max(200) })

const affCodeMax = 32

export const Registration = z.object({
  username: Username,
  password: Password,
  password2: z.string().max(200).optional(),
  email: z.string().max(100).optional(),
  verification_code: z.string().max(100).optional(),
  /** What no code can be is one that nobody has. */
  aff_code: z
    .string()
    .transform((code) => code.trim().slice(0, affCodeMax))
    .optional(),
  turnstile: z.string().max(4000).optional(),
})

const turnstile = z.string().max(4000).optional()

export const authApi = {
  login: endpoint({
    method: 'POST',
    path: '/api/user/login',
    access: 'public',
    summary: 'Log in with username or email and password',
    input: Login,
    output: z.union([LoginUser.extend({ default_password: z.boolean().optional() }), SecondFactorDue]),
  }),
  logout: endpoint({
    method: 'GET',
    path: '/api/user/logout',
    access: 'public',
    summary: 'End the session',
    changes: true,
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/user/register',
    access: 'public',
    summary: 'Create an account',
    input: Registration,
    query: ['turnstile'],
  }),
  verification: endpoint({
    method: 'GET',
    path: '/api/verification',
    access: 'public',
    summary: 'Send a verification code by mail',
    input: z.object({ email: Email, turnstile }),
    changes: true,
  }),
  resetRequest: endpoint({
    method: 'GET',
    path: '/api/reset_password',
    access: 'public',
    summary: 'Send a password reset link by mail',
    input: z.object({ email: Email, turnstile }),
    changes: true,
  }),
  reset: endpoint({
    method: 'POST',
    path: '/api/user/reset',
    access: 'public',
    summary: 'Set a new password with the token of a reset link',
    input: z.object({ email: Email, token: required('token') }),
    output: z.string(),
  }),
  oauthState: endpoint({
    method: 'GET',
    path: '/api/oauth/state',
    access: 'public',
    summary: 'A single-use state for an external login',
    output: z.string(),
    changes: true,
  }),
  oauthBind: endpoint({
    method: 'POST',
    path: '/api/oauth/state',
    access: 'user',
    own: true,
    summary: 'A single-use state for binding an external login, with the password or a second factor',
    input: OwnerProof,
    output: z.string(),
  }),
  github: endpoint({
    method: 'GET',
    path: '/api/oauth/github',
    access: 'public',
    summary: 'Finish a GitHub login or binding',
    input: z.object({ code: required('code'), state: z.string().max(200).default('') }),
    output: LoginUser.nullish(),
    changes: true,
  }),
  oidcStart: endpoint({
    method: 'GET',
    path: '/api/oauth/oidc/start',
    access: 'public',
    summary: 'Begin a login with OpenID Connect; answers where to send the browser',
    output: z.object({ url: z.string() }),
    changes: true,
  }),
  oidcBind: endpoint({
    method: 'POST',
    path: '/api/oauth/oidc/start',
    access: 'user',
    own: true,
    summary: 'Begin a binding with OpenID Connect, with the password or a second factor',
    input: OwnerProof,
    output: z.object({ url: z.string() }),
  }),
  oidc: endpoint({
    method: 'GET',
    path: '/api/oauth/oidc',
    access: 'public',
    summary: 'Finish a login or a binding with OpenID Connect, with the whole query the provider sent',
    input: z.looseObject({ code: z.string().max(4000).optional(), state: z.string().max(200).default('') }),
    output: LoginUser.nullish(),
    changes: true,
  }),
  wechat: endpoint({
    method: 'GET',
    path: '/api/oauth/wechat',
    access: 'public',
    summary: 'Log in with a messaging-app code',
    input: z.object({ code: required('code') }),
    output: LoginUser,
    changes: true,
  }),
  wechatBind: endpoint({
    method: 'GET',
    path: '/api/oauth/wechat/bind',
    access: 'user',
    own: true,
    summary: 'Bind a messaging-app account to an account without a password, after a login of just now',
    input: z.object({ code: required('code') }),
    changes: true,
  }),
  wechatBindProven: endpoint({
    method: 'POST',
    path: '/api/oauth/wechat/bind',
    access: 'user',
    own: true,
    summary: 'Bind a messaging-app account, with the password or a second factor',
    input: OwnerProof.extend({ code: required('code') }),
  }),
  emailBind: endpoint({
    method: 'GET',
    path: '/api/oauth/email/bind',
    access: 'user',
    own: true,
    summary: 'Bind a first email address, or any of an account without a password, soon after the login',
    input: z.object({ email: Email, code: required('code') }),
    changes: true,
  }),
  emailChange: endpoint({
    method: 'POST',
    path: '/api/oauth/email/bind',
    access: 'user',
    own: true,
    summary: 'Bind an email address, with the password',
    input: z.object({ email: Email, code: required('code'), password: required('password').max(200) }),
  }),
}

/** Self-service changes of the own profile live beside the other account calls. */
export const OwnProfile = z.object({
  username: KnownUsername.optional(),
  display_name: DisplayName.optional(),
  password: z.union([Password, z.literal('')]).optional(),
})
