import { amount, code, flag, real, text, whole } from './cells.ts'

/** Columns that one-api gave all who came from it, as each of them still has them. */
export const userColumns = {
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
  aff_code: code,
  inviter_id: whole,
}

export const tokenColumns = {
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
}

export const channelColumns = {
  id: whole,
  type: whole,
  key: code,
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
  priority: whole,
}

export const redemptionColumns = {
  id: whole,
  user_id: whole,
  key: code,
  status: whole,
  name: text,
  quota: amount,
  created_time: whole,
  redeemed_time: whole,
}

export const logColumns = {
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
  channel_id: whole,
  is_stream: flag,
}
