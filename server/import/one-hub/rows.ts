import { z } from 'zod'
import type { ForeignCode, ForeignLog, ForeignTopUp, ForeignUser } from '#server/import/form.ts'
import { oidcIdOf } from '#server/import/oidc.ts'
import { code, flag, isSet, real, text, whole } from '#server/import/source/cells.ts'
import { logColumns, redemptionColumns, userColumns } from '#server/import/source/family.ts'
import { codeFields, logFields, userFields } from '#server/import/source/family-rows.ts'
import { type RowOf, rowReader } from '#server/import/source/row-reader.ts'
import { parseObject } from '#server/lib/json.ts'

export const SourceUser = rowReader({
  ...userColumns,
  github_id_new: whole,
  group: text,
  created_time: whole,
  deleted_at: isSet,
})

export const SourceRedemption = rowReader(redemptionColumns)

export const SourceOrder = rowReader({
  id: whole,
  user_id: whole,
  quota: whole,
  status: code,
  created_at: whole,
  deleted_at: isSet,
})

export const SourceLog = rowReader({
  ...logColumns,
  request_time: whole,
  metadata: text,
})

export const SourceGroup = rowReader({ symbol: code, ratio: real, api_rate: whole, enable: flag })

export const SourcePrice = rowReader({ model: text, type: code, input: real, output: real, extra_ratios: text })

export const SourceOption = rowReader({ key: text, value: text })

export const userOf =
  (issuer: string) =>
  (user: RowOf<typeof SourceUser>): ForeignUser => ({
    ...userFields(user),
    isDeleted: user.deleted_at,
    githubId: user.github_id_new > 0 ? String(user.github_id_new) : '',
    githubLogin: user.github_id,
    oidcId: oidcIdOf(issuer, user.oidc_id),
    group: user.group,
    createdTime: user.created_time,
    totpSecret: '',
  })

export const codeOf = (code: RowOf<typeof SourceRedemption>): ForeignCode => ({
  ...codeFields(code),
  isDeleted: false,
  redeemedBy: 0,
  expiredTime: 0,
})

/** Orders that were not paid come to nothing. */
export const topUpOf = (order: RowOf<typeof SourceOrder>): ForeignTopUp => ({
  id: order.id,
  userId: order.user_id,
  quota: order.status === 'success' && !order.deleted_at ? order.quota : 0,
  at: order.created_at,
})

const Metadata = z.object({
  cached_tokens: z.number().catch(0),
  cached_read_tokens: z.number().catch(0),
  group_name: z.string().catch(''),
})

export function logOf(row: RowOf<typeof SourceLog>): ForeignLog {
  const details = Metadata.parse(parseObject(row.metadata))
  return {
    ...logFields(row),
    tokenId: 0,
    cachedTokens: Math.max(details.cached_tokens, details.cached_read_tokens),
    requestId: '',
    durationMs: row.request_time,
    group: details.group_name,
  }
}
