import type { ForeignCode, ForeignLog, ForeignToken, ForeignUser } from '#server/import/form.ts'
import { oidcIdOf } from '#server/import/oidc.ts'
import { isSet, real, text, whole } from '#server/import/source/cells.ts'
import {
  channelColumns,
  logColumns,
  redemptionColumns,
  tokenColumns,
  userColumns,
} from '#server/import/source/family.ts'
import { type RowOf, rowReader } from '#server/import/source/row-reader.ts'
import { userStatus } from '#shared/statuses.ts'

/** Of forks that keep what was deleted. */
const forkColumns = { deleted_at: isSet }

export const SourceUser = rowReader({
  ...userColumns,
  ...forkColumns,
  group: text,
})
export type SourceUser = RowOf<typeof SourceUser>

export const SourceToken = rowReader({
  ...tokenColumns,
  ...forkColumns,
  models: text,
  subnet: text,
})
export type SourceToken = RowOf<typeof SourceToken>

export const SourceChannel = rowReader({
  ...channelColumns,
  ...forkColumns,
  config: text,
  system_prompt: text,
})
export type SourceChannel = RowOf<typeof SourceChannel>

export const SourceRedemption = rowReader({ ...redemptionColumns, ...forkColumns })

export const SourceOption = rowReader({ key: text, value: text })

export const SourceLog = rowReader({
  ...logColumns,
  request_id: text,
  /** Milliseconds, in newer versions. */
  elapsed_time: whole,
  /** Seconds, in a fork. */
  duration: real,
})
export type SourceLog = RowOf<typeof SourceLog>

const deletedStatus = 3

/** `issuer` is that of its OpenID Connect provider. */
export const userOf = (user: SourceUser, issuer: string): ForeignUser => ({
  id: user.id,
  isDeleted: user.status === deletedStatus || user.deleted_at,
  username: user.username,
  password: user.password,
  displayName: user.display_name,
  role: user.role,
  isEnabled: user.status === userStatus.activated,
  email: user.email,
  githubId: '',
  githubLogin: user.github_id,
  wechatId: user.wechat_id,
  oidcId: oidcIdOf(issuer, user.oidc_id),
  accessToken: user.access_token,
  quota: user.quota,
  usedQuota: user.used_quota,
  requestCount: user.request_count,
  group: user.group,
  affCode: user.aff_code,
  inviterId: user.inviter_id,
  createdTime: 0,
  totpSecret: '',
})

export const tokenOf = (token: SourceToken): ForeignToken => ({
  id: token.id,
  isDeleted: token.deleted_at,
  userId: token.user_id,
  key: token.key,
  name: token.name,
  status: token.status,
  createdTime: token.created_time,
  accessedTime: token.accessed_time,
  expiredTime: token.expired_time,
  remainQuota: token.remain_quota,
  isUnlimited: token.unlimited_quota,
  usedQuota: token.used_quota,
  models: token.models,
  subnet: token.subnet,
  group: '',
  doubts: [],
})

export const codeOf = (code: RowOf<typeof SourceRedemption>): ForeignCode => ({
  id: code.id,
  isDeleted: code.deleted_at,
  userId: code.user_id,
  key: code.key,
  status: code.status,
  name: code.name,
  quota: code.quota,
  createdTime: code.created_time,
  redeemedTime: code.redeemed_time,
  redeemedBy: 0,
  expiredTime: 0,
})

export const logOf = (row: SourceLog): ForeignLog => ({
  id: row.id,
  userId: row.user_id,
  createdAt: row.created_at,
  type: row.type,
  content: row.content,
  username: row.username,
  tokenName: row.token_name,
  tokenId: 0,
  modelName: row.model_name,
  quota: row.quota,
  promptTokens: row.prompt_tokens,
  completionTokens: row.completion_tokens,
  cachedTokens: 0,
  channelId: row.channel_id,
  requestId: row.request_id,
  durationMs: row.elapsed_time || Math.round(row.duration * 1000),
  isStream: row.is_stream,
  group: '',
})
