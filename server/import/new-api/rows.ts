import { z } from 'zod'
import { amount, code, flag, isSet, real, text, whole } from '#server/import/source/cells.ts'

export const SourceUser = z.object({
  id: whole,
  username: text,
  password: text,
  display_name: text,
  role: whole,
  status: whole,
  email: code,
  github_id: code,
  wechat_id: code,
  oidc_id: code,
  access_token: code,
  quota: amount,
  used_quota: whole,
  request_count: whole,
  group: code,
  aff_code: code,
  inviter_id: whole,
  deleted_at: isSet,
  /** Seconds, in newer releases. */
  created_at: whole,
})
export type SourceUser = z.output<typeof SourceUser>

export const SourceFactor = z.object({
  id: whole,
  user_id: whole,
  secret: code,
  is_enabled: flag,
  deleted_at: isSet,
})

export const SourceToken = z.object({
  id: whole,
  user_id: whole,
  key: code,
  status: whole,
  name: text,
  created_time: whole,
  accessed_time: whole,
  expired_time: whole,
  remain_quota: amount,
  unlimited_quota: flag,
  used_quota: whole,
  model_limits_enabled: flag,
  model_limits: text,
  allow_ips: text,
  group: code,
  auto_groups: text,
  deleted_at: isSet,
})
export type SourceToken = z.output<typeof SourceToken>

export const SourceChannel = z.object({
  id: whole,
  type: whole,
  key: code,
  /** Releases spell it in two ways. */
  open_ai_organization: code,
  openai_organization: code,
  test_model: code,
  status: whole,
  name: text,
  weight: whole,
  created_time: whole,
  test_time: whole,
  response_time: whole,
  base_url: code,
  other: code,
  balance: real,
  balance_updated_time: whole,
  models: text,
  group: text,
  used_quota: whole,
  model_mapping: text,
  status_code_mapping: code,
  priority: whole,
  tag: code,
  /** JSON: proxy and what is done to requests. */
  setting: text,
  /** JSON, in newer releases: settings of some types. */
  settings: text,
  param_override: text,
  header_override: text,
  /** JSON, in newer releases: the pool of keys. */
  channel_info: text,
})
export type SourceChannel = z.output<typeof SourceChannel>

export const SourceRedemption = z.object({
  id: whole,
  user_id: whole,
  key: code,
  status: whole,
  name: text,
  quota: amount,
  created_time: whole,
  redeemed_time: whole,
  used_user_id: whole,
  deleted_at: isSet,
  expired_time: whole,
})
export type SourceRedemption = z.output<typeof SourceRedemption>

export const SourceTopUp = z.object({
  id: whole,
  user_id: whole,
  amount: real,
  money: real,
  payment_method: code,
  payment_provider: code,
  create_time: whole,
  complete_time: whole,
  status: code,
})
export type SourceTopUp = z.output<typeof SourceTopUp>

export const SourceLog = z.object({
  id: whole,
  user_id: whole,
  created_at: whole,
  type: whole,
  content: text,
  username: text,
  token_name: text,
  model_name: text,
  quota: whole,
  prompt_tokens: whole,
  completion_tokens: whole,
  /** Seconds. */
  use_time: whole,
  is_stream: flag,
  channel_id: whole,
  token_id: whole,
  group: text,
  request_id: text,
  /** JSON: how the charge came about. */
  other: text,
})
export type SourceLog = z.output<typeof SourceLog>
