import type { ChannelFacts, ForeignCode, ForeignLog, ForeignToken, ForeignUser } from '#server/import/form.ts'
import { userStatus } from '#shared/statuses.ts'
import type { channelColumns, logColumns, redemptionColumns, tokenColumns, userColumns } from './family.ts'
import type { Values } from './row-reader.ts'

// The columns of the family in the common form. Each program adds what its own columns say.

export const userFields = (user: Values<typeof userColumns>) =>
  ({
    id: user.id,
    username: user.username,
    password: user.password,
    displayName: user.display_name,
    role: user.role,
    isEnabled: user.status === userStatus.activated,
    email: user.email,
    wechatId: user.wechat_id,
    accessToken: user.access_token,
    quota: user.quota,
    usedQuota: user.used_quota,
    requestCount: user.request_count,
    affCode: user.aff_code,
    inviterId: user.inviter_id,
  }) satisfies Partial<ForeignUser>

export const tokenFields = (token: Values<typeof tokenColumns>) =>
  ({
    id: token.id,
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
  }) satisfies Partial<ForeignToken>

/** What a channel carries, and where it points, each program writes in a way of its own. */
export const channelFields = (channel: Values<typeof channelColumns>) =>
  ({
    status: channel.status,
    priority: channel.priority,
    weight: channel.weight,
    responseTime: channel.response_time,
    testTime: channel.test_time,
    balance: channel.balance,
    balanceUpdatedTime: channel.balance_updated_time,
    usedQuota: channel.used_quota,
    createdTime: channel.created_time,
  }) satisfies Partial<ChannelFacts>

export const codeFields = (code: Values<typeof redemptionColumns>) =>
  ({
    id: code.id,
    userId: code.user_id,
    key: code.key,
    status: code.status,
    name: code.name,
    quota: code.quota,
    createdTime: code.created_time,
    redeemedTime: code.redeemed_time,
  }) satisfies Partial<ForeignCode>

export const logFields = (row: Values<typeof logColumns>) =>
  ({
    id: row.id,
    userId: row.user_id,
    createdAt: row.created_at,
    type: row.type,
    content: row.content,
    username: row.username,
    tokenName: row.token_name,
    modelName: row.model_name,
    quota: row.quota,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    channelId: row.channel_id,
    isStream: row.is_stream,
  }) satisfies Partial<ForeignLog>
