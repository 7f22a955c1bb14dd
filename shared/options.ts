import { z } from 'zod'
import { customFault, fault } from './faults.ts'
import { GroupLimits } from './limits.ts'
import {
  address,
  amount,
  bool,
  choice,
  jsonObject,
  markup,
  normaliseAddress,
  number,
  type Option,
  option,
  parseJson,
  ratios,
  secret,
  text,
  textUpTo,
} from './option-kinds.ts'
import { quotaPerUnitDefault } from './quota.ts'
import { ModelFallbacks, RoutingStrategies } from './routing-options.ts'
import { isThisMachine } from './this-machine.ts'

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

const limitsExample = '{"default": {"rpm": 60, "tpm": 200000, "parallel": 20}}'

const groupLimits = z.string().transform((value, ctx): GroupLimits => {
  const parsed = GroupLimits.safeParse(parseJson(value.trim() === '' ? '{}' : value))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : 'it is not valid'
  ctx.addIssue(customFault('limits.not', { example: limitsExample, where }))
  return z.NEVER
})

/** A provider is reached by https; only on this machine itself nobody can listen in. */
const isIssuer = (value: string): boolean =>
  value === '' ||
  /^https:\/\/[^\s/]+/.test(value) ||
  (/^http:\/\//.test(value) && URL.canParse(value) && isThisMachine(new URL(value).hostname))

const groupMap = jsonObject('group map').transform((value, ctx): Record<string, string> => {
  const wrong = Object.entries(value).find(([, group]) => typeof group !== 'string' || !/^[^,\s]{1,32}$/.test(group))
  if (!wrong) return value as Record<string, string>
  ctx.addIssue(customFault('group_map.not', { name: wrong[0] }))
  return z.NEVER
})

const root = { writer: 'root' } as const

/** Every option of the system with its English words, in the order the settings draw them. Adding one is one line. */
export const options = {
  TopUpLink: option(['general', 'Top-up link', 'Where “Get redemption code” leads.'], {
    kind: 'address',
    schema: textUpTo(2000)
      .trim()
      .refine((value) => value === '' || /^https?:\/\/[^\s/]+/.test(value), fault('address.scheme')),
    default: '',
    writer: 'root',
  }),
  ChatLink: address(['general', 'Chat link', 'Empty: the Chat page is hidden.'], root),
  QuotaPerUnit: number(
    quotaPerUnitDefault,
    { min: 0.01, max: 1_000_000_000_000, whole: false },
    ['general', 'Quota per dollar', 'Units of quota worth $1.00.'],
    { step: 0.01 },
  ),
  RetryTimes: number(2, { min: 0, max: 100, whole: true }, [
    'general',
    'Retries on failure',
    'How many further channels are tried.',
  ]),
  ResponseRetentionDays: number(30, { min: 0, max: 3650, whole: true }, [
    'general',
    'Days responses are kept',
    'Of channels whose vendor keeps none, sealed, so that clients can refer to them. 0 keeps nothing.',
  ]),
  PassthroughEnabled: bool(false, [
    'general',
    'Vendor passage',
    'Administrators may call any address of a vendor under /pass/{channel type or name}/ with their tokens.',
  ]),
  PassthroughPrice: amount(0, ['general', 'Price of the vendor passage', 'Quota for each request through it.']),
  TimeZone: option(['general', 'Time zone', 'Days, weeks and months of budgets follow it, like Europe/Berlin.'], {
    kind: 'text',
    schema: z.string().trim().refine(isTimeZone, fault('zone.not')),
    default: 'UTC',
  }),
  DisplayInCurrencyEnabled: bool(true, ['general', 'Display quota as currency']),
  DisplayTokenStatEnabled: bool(true, ['general', 'Billing APIs show token quota instead of user quota']),
  ApproximateTokenEnabled: bool(false, ['general', 'Approximate token counting', 'Faster, slightly less exact.']),

  LogConsumeEnabled: bool(true, ['log', 'Log quota consumption']),
  LogRetentionDays: number(0, { min: 0, max: 36_500, whole: true }, [
    'log',
    'Days to keep the log',
    'Older rows are deleted every ten minutes. The figures of the usage stay. 0 keeps them for ever.',
  ]),

  ChannelDisableThreshold: number(5, { min: 0, max: 86_400, whole: false }, [
    'monitor',
    'Longest response time',
    'Seconds. In “Test all”, slower channels are disabled.',
  ]),
  QuotaRemindThreshold: amount(1000, [
    'monitor',
    'Quota reminder threshold',
    'A mail is sent when the quota falls below it.',
  ]),
  AutomaticDisableChannelEnabled: bool(false, ['monitor', 'Disable a channel automatically on failure']),
  AutomaticEnableChannelEnabled: bool(false, [
    'monitor',
    'Enable a channel automatically on success',
    'Channels disabled automatically are tested every ten minutes.',
  ]),

  RoutingStrategy: option(
    ['routing', 'Strategy', 'Model name or * to weight, cost or latency: the order among equal priorities.'],
    { kind: 'json', schema: RoutingStrategies, default: '{"*":"weight"}' },
  ),
  ModelFallbacks: option(
    ['routing', 'Fallbacks', 'Model name to a list of models that are asked in its place when no channel is left.'],
    { kind: 'json', schema: ModelFallbacks, default: '{}' },
  ),
  StickyMinutes: number(0, { min: 0, max: 10_080, whole: true }, [
    'routing',
    'Keep conversations together',
    'Minutes for which a conversation stays with its channel, for the vendor’s prompt cache. 0: off.',
  ]),
  ModelPagePublic: bool(false, ['routing', 'Show the models page to visitors']),

  QuotaForNewUser: amount(0, ['quota', 'Initial quota of new users']),
  PreConsumedQuota: amount(500, [
    'quota',
    'Pre-consumed quota per request',
    'Refunded or topped up after the request.',
  ]),
  QuotaForInviter: amount(0, ['quota', 'Reward for the inviter']),
  QuotaForInvitee: amount(0, ['quota', 'Reward for the invited']),
  GroupLimits: option(
    [
      'quota',
      'Limits of groups',
      'Group name to requests and tokens a minute and parallel requests of each of its users.',
    ],
    { kind: 'json', schema: groupLimits, default: '{}' },
  ),
  TeamCreation: choice(['everyone', 'admin'], ['quota', 'Who may create teams']),

  ModelRatio: ratios('model ratio', [
    'ratios',
    'Model ratio',
    'Model name to ratio. A model left out keeps its built-in price.',
  ]),
  CompletionRatio: ratios('completion ratio', [
    'ratios',
    'Completion ratio',
    'How many times dearer an answer token is than a prompt token.',
  ]),
  GroupRatio: ratios(
    'group ratio',
    ['ratios', 'Group ratio', 'Group name to factor. These are the groups that can be chosen.'],
    '{"default":1,"vip":1,"svip":1}',
  ),
  CacheRatio: ratios('cache ratio', [
    'ratios',
    'Cache read ratio',
    'Prompt tokens read from a cache, against plain ones.',
  ]),
  CacheWriteRatio: ratios('cache write ratio', [
    'ratios',
    'Cache write ratio',
    'Prompt tokens written to a cache, against plain ones.',
  ]),
  AudioRatio: ratios('audio ratio', ['ratios', 'Audio ratio', 'Audio tokens in the prompt, against text.']),
  AudioCompletionRatio: ratios('audio completion ratio', [
    'ratios',
    'Audio completion ratio',
    'Audio tokens in the answer, against audio in the prompt.',
  ]),
  ImageRatio: ratios('image ratio', ['ratios', 'Image ratio', 'Image tokens in the prompt, against text.']),

  RequestPrice: ratios('request price', [
    'ratios',
    'Price per request',
    'Model name to dollars for each request, in place of a price by tokens.',
  ]),

  ServerAddress: address(['address', 'Server address', 'How people reach this server; used in mails and links.'], root),

  PasswordLoginEnabled: bool(true, ['login', 'Allow login by password'], root),
  PasswordRegisterEnabled: bool(true, ['login', 'Allow registration by password']),
  EmailVerificationEnabled: bool(false, ['login', 'Require email verification to register by password']),
  GitHubOAuthEnabled: bool(false, ['login', 'Allow login and registration with GitHub'], root),
  WeChatAuthEnabled: bool(false, ['login', 'Allow login and registration with WeChat'], root),
  RegisterEnabled: bool(true, [
    'login',
    'Allow new users to register',
    'Off: nobody can register, whatever the method.',
  ]),
  AdminSecondFactorRequired: bool(
    false,
    ['login', 'Require a second factor of administrators', 'Until they have one, only their own account opens.'],
    root,
  ),
  TurnstileCheckEnabled: bool(false, ['login', 'Check for bots with Turnstile'], root),

  EmailDomainRestrictionEnabled: bool(false, ['domains', 'Accept only addresses of the domains below']),
  EmailDomainWhitelist: option(['domains', 'Allowed domains', 'Type a domain and press Enter.'], {
    kind: 'domains',
    schema: textUpTo(10_000).transform((value) => [
      ...new Set(
        value
          .split(',')
          .map((domain) => domain.trim().toLowerCase())
          .filter(Boolean),
      ),
    ]),
    default: 'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
  }),

  SMTPServer: text(['mail', 'SMTP server'], { ...root, placeholder: 'smtp.example.com' }),
  SMTPPort: option(['mail', 'SMTP port'], {
    kind: 'text',
    schema: z
      .string()
      .refine((value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535, fault('port.range'))
      .transform(Number),
    default: '587',
    writer: 'root',
    placeholder: '587',
  }),
  SMTPAccount: text(['mail', 'SMTP account', 'Usually an email address.'], root),
  SMTPFrom: text(['mail', 'Sender', 'Usually the same as the account.'], root),
  SMTPToken: secret(['mail', 'SMTP password or token']),

  GitHubClientId: text(['github', 'Client ID'], root),
  GitHubClientSecret: secret(['github', 'Client secret']),

  OIDCEnabled: bool(false, ['oidc', 'Allow login with OpenID Connect'], root),
  OIDCName: text(['oidc', 'Name on the login button'], { ...root, max: 60, default: 'Single sign-on' }),
  OIDCIssuer: option(['oidc', 'Issuer', 'Its discovery document is read from here.'], {
    kind: 'address',
    schema: z.string().transform(normaliseAddress).refine(isIssuer, fault('issuer.not')),
    default: '',
    writer: 'root',
  }),
  OIDCClientId: text(['oidc', 'Client ID'], root),
  OIDCClientSecret: secret(['oidc', 'Client secret']),
  OIDCScopes: text(['oidc', 'Scopes'], { ...root, default: 'openid profile email' }),
  OIDCAutoRegister: bool(true, ['oidc', 'Create accounts for people who come for the first time'], root),
  OIDCGroupsClaim: text(['oidc', 'Groups claim', 'The claim that names the groups of a person.'], {
    ...root,
    default: 'groups',
  }),
  OIDCGroupMap: option(
    [
      'oidc',
      'Group map',
      'Claim value to user group, set at every login; nobody listed is in default. Empty: groups stay.',
    ],
    { kind: 'json', schema: groupMap, default: '{}', writer: 'root' },
  ),

  WeChatServerAddress: address(['wechat', 'Server address of the login service'], root),
  WeChatServerToken: secret(['wechat', 'Access token']),
  WeChatAccountQRCodeImageURL: address(
    ['wechat', 'QR code image address', 'The picture people scan to follow the account.'],
    root,
  ),

  MessagePusherAddress: address(['pusher', 'Push address'], root),
  MessagePusherToken: secret(['pusher', 'Push token']),

  TurnstileSiteKey: text(['turnstile', 'Site key'], root),
  TurnstileSecretKey: secret(['turnstile', 'Secret key']),

  Notice: markup(['notice', 'Notice', 'Shown once to everyone who opens the home page. Markdown or HTML.']),

  SystemName: text(['look', 'System name'], { max: 60, default: 'Switchyard' }),
  Theme: choice(['default', 'light', 'dark'], ['look', 'Theme', 'For visitors who have chosen none.']),
  Logo: text(['look', 'Logo address', 'Empty: the built-in mark.'], { max: 2000 }),

  HomePageContent: markup([
    'content',
    'Home page content',
    'Markdown or HTML. An address is shown in a frame. Empty: the welcome page.',
  ]),
  About: markup(['content', 'About', 'Markdown or HTML. An address is shown in a frame.']),
  Footer: markup(['content', 'Footer', 'HTML. Empty: the line with version and licence.']),
} satisfies Record<string, Option<unknown>>

export type OptionKey = keyof typeof options
export type OptionValues = { readonly [Key in OptionKey]: z.output<(typeof options)[Key]['schema']> }

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(options, key)

/** What must be filled in for as long as a switch is on. */
export const switchNeeds: Partial<Record<OptionKey, readonly OptionKey[]>> = {
  GitHubOAuthEnabled: ['GitHubClientId', 'GitHubClientSecret'],
  WeChatAuthEnabled: ['WeChatServerAddress'],
  OIDCEnabled: ['OIDCIssuer', 'OIDCClientId'],
  TurnstileCheckEnabled: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  EmailDomainRestrictionEnabled: ['EmailDomainWhitelist'],
  EmailVerificationEnabled: ['SMTPServer'],
}
