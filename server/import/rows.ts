import { z } from 'zod'
import { withoutZeros } from '#server/lib/without-zeros.ts'

/** The engines and versions disagree on types, and later columns are missing in older databases: any value becomes one. */
const toText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value)
  return withoutZeros(text)
}

const toNumber = (value: unknown): number => {
  const number = typeof value === 'boolean' ? Number(value) : Number(toText(value) || 0)
  return Number.isFinite(number) ? number : 0
}

const text = z.unknown().default(null).transform(toText)
/** PostgreSQL pads columns of a fixed length with spaces. */
const code = z
  .unknown()
  .default(null)
  .transform((value) => toText(value).trim())
const whole = z
  .unknown()
  .default(null)
  .transform((value) => Math.trunc(toNumber(value)))
const real = z.unknown().default(null).transform(toNumber)
const flag = z
  .unknown()
  .default(null)
  .transform((value) => /^(1|t|true)$/i.test(toText(value)))

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
  access_token: code,
  quota: whole,
  used_quota: whole,
  request_count: whole,
  group: text,
  aff_code: code,
  inviter_id: whole,
})
export type SourceUser = z.output<typeof SourceUser>

export const SourceToken = z.object({
  id: whole,
  user_id: whole,
  key: code,
  status: whole,
  name: text,
  created_time: whole,
  accessed_time: whole,
  expired_time: whole,
  remain_quota: whole,
  unlimited_quota: flag,
  used_quota: whole,
  models: text,
  subnet: text,
})
export type SourceToken = z.output<typeof SourceToken>

export const SourceChannel = z.object({
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
  config: text,
  system_prompt: text,
})
export type SourceChannel = z.output<typeof SourceChannel>

export const SourceRedemption = z.object({
  id: whole,
  user_id: whole,
  key: code,
  status: whole,
  name: text,
  quota: whole,
  created_time: whole,
  redeemed_time: whole,
})

export const SourceOption = z.object({ key: text, value: text })

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
  channel_id: whole,
  request_id: text,
  /** Milliseconds, in newer versions. */
  elapsed_time: whole,
  /** Seconds, in a fork. */
  duration: real,
  is_stream: flag,
})
export type SourceLog = z.output<typeof SourceLog>
