import { z } from 'zod'
import { endpoint } from '../contract.ts'

/** What anyone may know of the system; the console keeps a copy of it locally. */
export const Status = z.object({
  version: z.string(),
  start_time: z.number(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  theme: z.enum(['default', 'light', 'dark']),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  chat_link: z.string(),
  top_up_link: z.string(),
  server_address: z.string(),
  password_login: z.boolean(),
  password_register: z.boolean(),
  register: z.boolean(),
  /** Visitors may look at the models. */
  models_public: z.boolean(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  email_verification: z.boolean(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  github_authorize_url: z.string(),
  oidc_login: z.boolean(),
  oidc_name: z.string(),
  /** Somebody here has a passkey. */
  passkey_login: z.boolean(),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
})
export type Status = z.output<typeof Status>

export const Release = z.object({ tag_name: z.string(), body: z.string(), html_url: z.string() })

/** What of the way to a first answer is done. */
export const FirstSteps = z.object({
  password_changed: z.boolean(),
  channel_added: z.boolean(),
  channel_tested: z.boolean(),
  token_created: z.boolean(),
  request_answered: z.boolean(),
})
export type FirstSteps = z.output<typeof FirstSteps>

/** How much waits for an administrator, by page. */
export const Attention = z.object({
  /** Channels that were disabled automatically. */
  channels: z.number(),
  /** Models that channels carry and nobody has priced. */
  prices: z.number(),
})

export const statusApi = {
  status: endpoint({
    method: 'GET',
    path: '/api/status',
    access: 'public',
    summary: 'The public status',
    output: Status,
  }),
  firstSteps: endpoint({
    method: 'GET',
    path: '/api/first_steps',
    access: 'admin',
    summary: 'How far an installation has come on its way to a first answer',
    output: FirstSteps,
  }),
  attention: endpoint({
    method: 'GET',
    path: '/api/attention',
    access: 'admin',
    summary: 'How many channels and prices wait for an administrator',
    output: Attention,
  }),
  notice: endpoint({
    method: 'GET',
    path: '/api/notice',
    access: 'public',
    summary: 'The site-wide notice',
    output: z.string(),
  }),
  about: endpoint({
    method: 'GET',
    path: '/api/about',
    access: 'public',
    summary: 'The about page',
    output: z.string(),
  }),
  home: endpoint({
    method: 'GET',
    path: '/api/home_page_content',
    access: 'public',
    summary: 'The content of the home page',
    output: z.string(),
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/models',
    access: 'user',
    summary: 'Default model names by channel type',
    output: z.record(z.string(), z.array(z.string())),
  }),
  groups: endpoint({
    method: 'GET',
    path: '/api/group/',
    access: 'admin',
    summary: 'Names of all groups',
    output: z.array(z.string()),
  }),
  release: endpoint({
    method: 'GET',
    path: '/api/release',
    access: 'admin',
    summary: 'The latest release, read from the configured releases address',
    output: Release,
  }),
}
