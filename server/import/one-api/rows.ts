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
import { codeFields, logFields, tokenFields, userFields } from '#server/import/source/family-rows.ts'
import { type RowOf, rowReader } from '#server/import/source/row-reader.ts'

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
  ...userFields(user),
  isDeleted: user.status === deletedStatus || user.deleted_at,
  githubId: '',
  githubLogin: user.github_id,
  oidcId: oidcIdOf(issuer, user.oidc_id),
  group: user.group,
  createdTime: 0,
  totpSecret: '',
})

export const tokenOf = (token: SourceToken): ForeignToken => ({
  ...tokenFields(token),
  isDeleted: token.deleted_at,
  models: token.models,
  subnet: token.subnet,
  group: '',
  doubts: [],
})

export const codeOf = (code: RowOf<typeof SourceRedemption>): ForeignCode => ({
  ...codeFields(code),
  isDeleted: code.deleted_at,
  redeemedBy: 0,
  expiredTime: 0,
})

export const logOf = (row: SourceLog): ForeignLog => ({
  ...logFields(row),
  tokenId: 0,
  cachedTokens: 0,
  requestId: row.request_id,
  durationMs: row.elapsed_time || Math.round(row.duration * 1000),
  group: '',
})
