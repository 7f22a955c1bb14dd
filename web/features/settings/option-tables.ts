import type { OptionKey } from '#shared/options.ts'
import type { en } from '#web/locales/en.ts'

/** How an option is edited. */
export type FieldKind =
  | 'text'
  | 'address'
  | 'number'
  | 'quota'
  | 'check'
  | 'json'
  | 'markup'
  | 'secret'
  | 'domains'
  | 'theme'

export interface Field {
  readonly key: OptionKey
  readonly kind: FieldKind
  readonly step?: number
  readonly placeholder?: string
  /** Asked before the switch is turned off. */
  readonly confirmOff?: 'passwordOff'
}

/** What stands among the fields and is no option. */
export type Extra = 'clearLogs' | 'pricePreview' | 'updateCheck'

export type SectionName = keyof typeof en.settings.groups

export interface Section {
  readonly name: SectionName
  readonly items: ReadonlyArray<Field | Extra>
}

export type OptionTabName = 'operations' | 'system' | 'other'

const field = (kind: FieldKind, key: OptionKey, more: Omit<Field, 'kind' | 'key'> = {}): Field => ({
  kind,
  key,
  ...more,
})

const operations: readonly Section[] = [
  {
    name: 'general',
    items: [
      field('address', 'TopUpLink'),
      field('address', 'ChatLink'),
      field('number', 'QuotaPerUnit', { step: 0.01 }),
      field('number', 'RetryTimes', { step: 1 }),
      field('check', 'DisplayInCurrencyEnabled'),
      field('check', 'DisplayTokenStatEnabled'),
      field('check', 'ApproximateTokenEnabled'),
    ],
  },
  { name: 'log', items: [field('check', 'LogConsumeEnabled'), 'clearLogs'] },
  {
    name: 'monitor',
    items: [
      field('number', 'ChannelDisableThreshold'),
      field('quota', 'QuotaRemindThreshold'),
      field('check', 'AutomaticDisableChannelEnabled'),
      field('check', 'AutomaticEnableChannelEnabled'),
    ],
  },
  {
    name: 'quota',
    items: [
      field('quota', 'QuotaForNewUser'),
      field('quota', 'PreConsumedQuota'),
      field('quota', 'QuotaForInviter'),
      field('quota', 'QuotaForInvitee'),
    ],
  },
  {
    name: 'ratios',
    items: [
      field('json', 'ModelRatio'),
      field('json', 'CompletionRatio'),
      field('json', 'GroupRatio'),
      'pricePreview',
      field('json', 'CacheRatio'),
      field('json', 'CacheWriteRatio'),
      field('json', 'AudioRatio'),
      field('json', 'AudioCompletionRatio'),
      field('json', 'ImageRatio'),
    ],
  },
]

const system: readonly Section[] = [
  { name: 'address', items: [field('address', 'ServerAddress')] },
  {
    name: 'login',
    items: [
      field('check', 'PasswordLoginEnabled', { confirmOff: 'passwordOff' }),
      field('check', 'PasswordRegisterEnabled'),
      field('check', 'EmailVerificationEnabled'),
      field('check', 'GitHubOAuthEnabled'),
      field('check', 'WeChatAuthEnabled'),
      field('check', 'RegisterEnabled'),
      field('check', 'TurnstileCheckEnabled'),
    ],
  },
  {
    name: 'domains',
    items: [field('check', 'EmailDomainRestrictionEnabled'), field('domains', 'EmailDomainWhitelist')],
  },
  {
    name: 'mail',
    items: [
      field('text', 'SMTPServer', { placeholder: 'smtp.example.com' }),
      field('text', 'SMTPPort', { placeholder: '587' }),
      field('text', 'SMTPAccount'),
      field('text', 'SMTPFrom'),
      field('secret', 'SMTPToken'),
    ],
  },
  { name: 'github', items: [field('text', 'GitHubClientId'), field('secret', 'GitHubClientSecret')] },
  {
    name: 'wechat',
    items: [
      field('address', 'WeChatServerAddress'),
      field('secret', 'WeChatServerToken'),
      field('address', 'WeChatAccountQRCodeImageURL'),
    ],
  },
  { name: 'pusher', items: [field('address', 'MessagePusherAddress'), field('secret', 'MessagePusherToken')] },
  { name: 'turnstile', items: [field('text', 'TurnstileSiteKey'), field('secret', 'TurnstileSecretKey')] },
]

const other: readonly Section[] = [
  { name: 'notice', items: [field('markup', 'Notice')] },
  { name: 'look', items: [field('text', 'SystemName'), field('theme', 'Theme'), field('text', 'Logo')] },
  { name: 'content', items: [field('markup', 'HomePageContent'), field('markup', 'About'), field('markup', 'Footer')] },
  { name: 'update', items: ['updateCheck'] },
]

/** Every option of the settings, in the order it is drawn. Adding one is one line. */
export const optionTabs: Readonly<Record<OptionTabName, readonly Section[]>> = { operations, system, other }

export const fieldsOf = (section: Section): Field[] => section.items.filter((item) => typeof item !== 'string')
