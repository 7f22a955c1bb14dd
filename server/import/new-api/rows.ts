import { code, flag, isSet, real, text, whole } from '#server/import/source/cells.ts'
import {
  channelColumns,
  logColumns,
  redemptionColumns,
  tokenColumns,
  userColumns,
} from '#server/import/source/family.ts'
import { type RowOf, rowReader } from '#server/import/source/row-reader.ts'

export const SourceUser = rowReader({
  ...userColumns,
  group: code,
  deleted_at: isSet,
  /** Seconds, in newer releases. */
  created_at: whole,
})
export type SourceUser = RowOf<typeof SourceUser>

export const SourceFactor = rowReader({
  id: whole,
  user_id: whole,
  secret: code,
  is_enabled: flag,
  deleted_at: isSet,
})

export const SourceToken = rowReader({
  ...tokenColumns,
  model_limits_enabled: flag,
  model_limits: text,
  allow_ips: text,
  group: code,
  auto_groups: text,
  deleted_at: isSet,
})
export type SourceToken = RowOf<typeof SourceToken>

export const SourceChannel = rowReader({
  ...channelColumns,
  /** Releases spell it in two ways. */
  open_ai_organization: code,
  openai_organization: code,
  test_model: code,
  status_code_mapping: code,
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
export type SourceChannel = RowOf<typeof SourceChannel>

export const SourceRedemption = rowReader({
  ...redemptionColumns,
  used_user_id: whole,
  deleted_at: isSet,
  expired_time: whole,
})
export type SourceRedemption = RowOf<typeof SourceRedemption>

export const SourceTopUp = rowReader({
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
export type SourceTopUp = RowOf<typeof SourceTopUp>

export const SourceLog = rowReader({
  ...logColumns,
  /** Seconds. */
  use_time: whole,
  token_id: whole,
  group: text,
  request_id: text,
  /** JSON: how the charge came about. */
  other: text,
})
export type SourceLog = RowOf<typeof SourceLog>
