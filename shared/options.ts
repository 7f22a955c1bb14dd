import { z } from 'zod'
import { quotaMax, quotaPerUnitDefault } from './quota.ts'

export type OptionGroup =
  | 'general'
  | 'login'
  | 'mail'
  | 'github'
  | 'wechat'
  | 'pusher'
  | 'turnstile'
  | 'site'
  | 'quota'
  | 'prices'
  | 'monitor'
  | 'logging'

export interface Option<Value> {
  /** Text, as it is stored and sent, to the value the server uses. Issues carry the message the console shows. */
  readonly schema: z.ZodType<Value, string>
  /** In the stored text form. */
  readonly default: string
  readonly group: OptionGroup
  /** Sealed at rest and never returned. */
  readonly secret: boolean
  readonly writer: 'admin' | 'root'
}

type More = { secret?: boolean; writer?: 'admin' | 'root' }

const option = <Value>(
  schema: z.ZodType<Value, string>,
  fallback: string,
  group: OptionGroup,
  more: More = {},
): Option<Value> => ({
  schema,
  default: fallback,
  group,
  secret: more.secret ?? false,
  writer: more.writer ?? 'admin',
})

const bool = (fallback: boolean, group: OptionGroup, more?: More) =>
  option(
    z.enum(['true', 'false'], "must be 'true' or 'false'").transform((text) => text === 'true'),
    String(fallback),
    group,
    more,
  )

const textUpTo = (max: number) => z.string().max(max, `must be at most ${max} characters`)

const text = (group: OptionGroup, more?: More & { max?: number }, fallback = '') =>
  option(textUpTo(more?.max ?? 1000), fallback, group, more)

const secret = (group: OptionGroup) => text(group, { secret: true, writer: 'root' })

const number = (fallback: number, group: OptionGroup, limits: { min: number; max: number; whole: boolean }) =>
  option(
    z
      .string()
      .refine((value) => /^\d+(\.\d+)?$/.test(value.trim()), 'must be a number that is not negative')
      .transform(Number)
      .refine((value) => !limits.whole || Number.isInteger(value), 'must be a whole number')
      .refine((value) => value >= limits.min && value <= limits.max, `must be between ${limits.min} and ${limits.max}`),
    String(fallback),
    group,
  )

const amount = (fallback: number, group: OptionGroup = 'quota') =>
  number(fallback, group, { min: 0, max: quotaMax, whole: true })

/** Web addresses lose their trailing slash. */
export const normaliseAddress = (value: string): string => value.trim().replace(/\/+$/, '')

const address = (group: OptionGroup, more?: More) =>
  option(
    z
      .string()
      .transform(normaliseAddress)
      .refine((value) => value === '' || /^https?:\/\/[^\s/]+/.test(value), 'must begin with http:// or https://'),
    '',
    group,
    more,
  )

/** A JSON object from a name to a ratio. `label` is how the specification's message names it. */
const ratios = (label: string, fallback = '{}') =>
  option(
    z.string().transform((value, ctx): Record<string, number> => {
      const parsed = parseJson(value.trim() === '' ? '{}' : value)
      if (parsed === undefined || parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) {
        ctx.addIssue({ code: 'custom', message: `${label} is not a valid JSON string` })
        return z.NEVER
      }
      for (const [name, ratio] of Object.entries(parsed)) {
        if (typeof ratio !== 'number' || !Number.isFinite(ratio) || ratio < 0 || ratio > 1_000_000_000) {
          ctx.addIssue({
            code: 'custom',
            message: `${label}: the value of "${name}" must be a number from 0 to 1000000000`,
          })
          return z.NEVER
        }
      }
      return parsed as Record<string, number>
    }),
    fallback,
    'prices',
  )

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

const whitelist = 'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com'

const domains = option(
  textUpTo(10_000).transform((value) => [
    ...new Set(
      value
        .split(',')
        .map((domain) => domain.trim().toLowerCase())
        .filter(Boolean),
    ),
  ]),
  whitelist,
  'login',
)

const root = { writer: 'root' } as const
/** Bytes; the text of an option is no book. */
export const optionBytesMax = 256 * 1024

const html = { max: optionBytesMax }

/** Every option of the system. Adding one is one line. */
export const options = {
  PasswordLoginEnabled: bool(true, 'login', root),
  PasswordRegisterEnabled: bool(true, 'login'),
  RegisterEnabled: bool(true, 'login'),
  EmailVerificationEnabled: bool(false, 'login'),
  EmailDomainRestrictionEnabled: bool(false, 'login'),
  EmailDomainWhitelist: domains,
  GitHubOAuthEnabled: bool(false, 'login', root),
  WeChatAuthEnabled: bool(false, 'login', root),
  TurnstileCheckEnabled: bool(false, 'login', root),
  GitHubClientId: text('github', root),
  GitHubClientSecret: secret('github'),
  SMTPServer: text('mail', root),
  SMTPPort: option(
    z
      .string()
      .refine(
        (value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535,
        'must be a port from 1 to 65535',
      )
      .transform(Number),
    '587',
    'mail',
    root,
  ),
  SMTPAccount: text('mail', root),
  SMTPFrom: text('mail', root),
  SMTPToken: secret('mail'),
  WeChatServerAddress: address('wechat', root),
  WeChatServerToken: secret('wechat'),
  WeChatAccountQRCodeImageURL: address('wechat', root),
  MessagePusherAddress: address('pusher', root),
  MessagePusherToken: secret('pusher'),
  TurnstileSiteKey: text('turnstile', root),
  TurnstileSecretKey: secret('turnstile'),
  Notice: text('site', html),
  ServerAddress: address('general', root),
  Footer: text('site', html),
  About: text('site', html),
  HomePageContent: text('site', html),
  SystemName: text('site', { max: 60 }, 'Switchyard'),
  Logo: text('site', { max: 2000 }),
  Theme: option(z.enum(['default', 'light', 'dark'], 'must be default, light or dark'), 'default', 'site'),
  QuotaForNewUser: amount(0),
  QuotaForInviter: amount(0),
  QuotaForInvitee: amount(0),
  QuotaRemindThreshold: amount(1000, 'monitor'),
  PreConsumedQuota: amount(500),
  QuotaPerUnit: number(quotaPerUnitDefault, 'general', { min: 0.01, max: 1_000_000_000_000, whole: false }),
  ModelRatio: ratios('model ratio'),
  CompletionRatio: ratios('completion ratio'),
  GroupRatio: ratios('group ratio', '{"default":1,"vip":1,"svip":1}'),
  CacheRatio: ratios('cache ratio'),
  CacheWriteRatio: ratios('cache write ratio'),
  AudioRatio: ratios('audio ratio'),
  AudioCompletionRatio: ratios('audio completion ratio'),
  ImageRatio: ratios('image ratio'),
  TopUpLink: option(
    textUpTo(2000)
      .trim()
      .refine((value) => value === '' || /^https?:\/\//.test(value), 'must begin with http:// or https://'),
    '',
    'general',
    root,
  ),
  ChatLink: address('general'),
  AutomaticDisableChannelEnabled: bool(false, 'monitor'),
  AutomaticEnableChannelEnabled: bool(false, 'monitor'),
  ChannelDisableThreshold: number(5, 'monitor', { min: 0, max: 86_400, whole: false }),
  LogConsumeEnabled: bool(true, 'logging'),
  DisplayInCurrencyEnabled: bool(true, 'general'),
  DisplayTokenStatEnabled: bool(true, 'general'),
  ApproximateTokenEnabled: bool(false, 'general'),
  RetryTimes: number(0, 'general', { min: 0, max: 100, whole: true }),
} satisfies Record<string, Option<unknown>>

export type OptionKey = keyof typeof options
export type OptionValues = { readonly [Key in OptionKey]: z.output<(typeof options)[Key]['schema']> }

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(options, key)

/** What must be filled in before a switch may be turned on. */
export const switchNeeds: Partial<Record<OptionKey, readonly OptionKey[]>> = {
  GitHubOAuthEnabled: ['GitHubClientId', 'GitHubClientSecret'],
  WeChatAuthEnabled: ['WeChatServerAddress'],
  TurnstileCheckEnabled: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  EmailDomainRestrictionEnabled: ['EmailDomainWhitelist'],
  EmailVerificationEnabled: ['SMTPServer'],
}
