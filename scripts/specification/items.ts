/** One line of the specification that a test can prove. Tests name it in their titles: `[spec 2 log columns]`. */
export interface SpecItem {
  readonly section: 2 | 4 | 5 | 6 | 8 | 9
  readonly tag: string
  readonly says: string
}

const items = (section: SpecItem['section'], lines: Readonly<Record<string, string>>): SpecItem[] =>
  Object.entries(lines).map(([tag, says]) => ({ section, tag, says }))

const screens = items(2, {
  routes: 'Every route of the table above opens its screen',
  'not found': 'Any other path says "page does not exist, please check your address"',
  loading: 'A page on its way says "loading {page}..."',
  guard: 'Without a stored user, guarded pages send to /login and remember where one came from',
  'chat page': 'The chat page is a frame of the configured link, only when one is set',
  'navigation items':
    'The bar has the items of the specification; admin items for admins only; chat when a link exists',
  'navigation mobile': 'On a phone the bar folds into a menu',
  'navigation user': 'Logged in it shows the username with sign-out, logged out a login link',
  footer: 'The footer is the configured HTML, else a credit line with the licence',
  'login fields': 'Login asks for username or email and password, with links to reset and registration',
  'login methods': 'GitHub and WeChat login are offered when they are enabled',
  'login qr': 'The WeChat dialog shows the QR code and asks for a code that is valid for 3 minutes',
  'register fields': 'Registration asks for username, password and the password again',
  'register email': 'With email verification on, registration asks for an address and its code',
  'register bot check': 'With the bot check on, registration shows it',
  'register aff': 'An invitation code in the address is stored and sent along',
  'reset request': 'The reset asks for an email, with the human check if enabled, and counts down 30 seconds',
  'reset confirm':
    'The confirmation shows the email, then the new password, copies it and ends as "password reset complete"',
  'user list columns':
    'The user list has ID, username, group, statistics (remaining quota, used quota, request count), role, status and actions',
  'user list sort': 'Header cells of the user list sort the loaded page; a second click reverses',
  'user list search': 'Users are searched by id, username, display name and email',
  'user list order': 'The order dropdown of the user list goes back to page 1',
  'user list actions': 'Users are promoted, demoted, deleted after a question, disabled, enabled and edited',
  'user list add': 'The foot of the user list leads to the form for a new user',
  'user add form': 'The form for a new user has username, display name and password',
  'user edit form':
    'The form of a user has username, password, display name; for admins group and quota; bound accounts read-only',
  'profile edit': 'Everyone edits his own profile',
  'channel list columns':
    'The channel list sorts by ID, name, group, type, status, response time, balance and priority',
  'channel list search': 'A box searches channels by ID, name and base URL',
  'channel list actions': 'A channel is tested, deleted, disabled, enabled and edited from its row',
  'channel list foot': 'The foot adds, tests all, tests disabled, deletes disabled and refreshes channels',
  'channel list notice':
    'A notice that can be dismissed says that OpenAI channels show a balance of 0 and that tests cover chat models only, gpt-3.5-turbo first, else the first model',
  'channel list inline': 'Priority and weight are edited in the list',
  'channel form':
    'The channel form has name, type, key, base_url, other, model_mapping, models, group, priority and weight',
  'channel form key hint': 'The hint in the key field depends on the type: see the hints by channel type',
  'token list search': 'Tokens are searched by name',
  'token list columns': 'The columns of the token list (name, status, used and remaining quota, created, expires) sort',
  'token list order': 'Tokens are ordered by default, remaining or used quota',
  'token list copy': 'A token is copied plain, or as a ready address for one of three chat clients',
  'token list chat': 'A chat is opened with a token, with three targets',
  'token list actions': 'A token is deleted after a question, disabled, enabled, edited and added',
  'token form': 'The token form has name, remain_quota, expired_time and unlimited_quota',
  'token form expiry': 'Expiry has four quick choices: 30 days, one day, one hour, one minute',
  'redemption list search': 'Codes are searched by id and name',
  'redemption list columns': 'The columns of the code list (ID, name, status, quota, created, redeemed) sort',
  'redemption list actions':
    'A code is copied, deleted after a question, disabled, enabled, edited and added; not toggled once used',
  'redemption form': 'The code form has name, quota and, when creating, count',
  'redemption download': 'Created codes are downloaded as a text file named after them',
  'top-up page': 'The top-up page has code, redeem button and remaining quota',
  'top-up link': 'The button for codes opens the configured link',
  'log filters': 'The log is filtered by token, model, start and end; by admins also by channel and username',
  'log types': 'The type dropdown has all, top-up, consumption, admin and system',
  'log total': 'The consumed total is shown on "click to view", and refreshed',
  'log columns':
    'The log shows time, token, type, model, prompt tokens, completion tokens, quota and details; admins see channel and user too',
  'settings tabs': 'Everyone has personal settings; admins operations, system and other settings too',
  'personal token': 'A system access token is generated',
  'personal invite': 'The invite link is the origin and /register?aff={code}',
  'personal delete': 'Deleting the own account is a "dangerous operation" that wants the username typed',
  'personal wechat': 'A WeChat account is bound',
  'personal github': 'A GitHub account is bound',
  'personal email': 'An email is bound with a code, the human check and a 30-second wait',
  'personal profile': 'The personal settings lead to /user/edit/',
  'operations general':
    'General: top-up link, chat link, quota per dollar (step 0.01), retries (whole, at least 0); switches for display in currency, token statistics in billing calls, approximate counting',
  'operations log': 'Log: a switch for logging consumption, and a time up to which history is cleared',
  'operations monitor':
    'Monitor: longest response time in seconds, reminder threshold, switches for automatic disabling and enabling of channels',
  'operations quota': 'Quota: for new users, held before a request at least, for inviter and invitee; none below 0',
  'operations ratios': 'Ratios: JSON texts of model ratio, completion ratio and group ratio',
  'system general': 'General: the server address',
  'system login':
    'Switches for password login, password registration, email verification, GitHub, WeChat, registration at all, Turnstile',
  'system whitelist': 'A list of email domains that may register, with a switch',
  'system smtp': 'SMTP, with port 587 shown',
  'system github': 'GitHub sign-in: client id and client secret',
  'system wechat': 'WeChat sign-in: server address, token, address of the QR image',
  'system pusher': 'Message pusher: address and token',
  'system turnstile': 'Turnstile: site key and secret key',
  'other content': 'Notice, about, footer and home page content are edited',
  'other personalization': 'System name, theme and logo are edited',
  'other update': 'The update check shows tag and notes with a link to the releases page',
})

const states = items(4, {
  'user status': 'A user is activated or banned; the button reads disable when activated, else enable',
  'user role': 'Promote and demote show the role the server answers; rows of a super admin have no actions',
  'channel status':
    'Channels are enabled, manually or automatically disabled, unknown; the toggle sends 1 to 2 and others to 1',
  'token status': 'Tokens are enabled, disabled, expired or exhausted; the toggle sends 1 to 2 and others to 1',
  'redemption status': 'Codes are unused, disabled or used; a used one is not toggled',
  'log types': 'Log types are top-up, consumption, admin and system',
  'after delete': 'A deleted row goes without a reload',
  'after a status change': 'A row takes the status the server answers',
  'response time badge':
    'The badge of the response time is grey at 0 (untested), green up to 1000 ms, olive up to 3000, yellow up to 5000, red above',
  'login success': 'A login leads to /token; the default root password to /user/edit with a warning',
  'wechat login success': 'A WeChat login leads to /',
  'registration success': 'A registration leads to /login',
  'expired session':
    "A 401 leads to /login?expired=true, which says 'not logged in or login expired, please log in again'",
  'github callback': 'The callback binds and goes to /setting, or logs in and goes to /; a failure goes to /setting',
  logout: 'Logging out clears the stored user and goes to /login',
  'app start': 'At the start the stored user is restored, the status fetched and cached',
  'boolean options': "Switches are 'true' or 'false'; turning off password login asks first",
  'prompt flags': 'A prompt is shown only while its flag is unset',
  'channel model map': 'The models by channel type are cached; an unknown type has none',
  timestamps: 'Times read YYYY-MM-DD HH:mm:ss',
  'code cooldown': 'A code can be sent again after 30 seconds',
})

const validation = items(5, {
  'register password length': "'password length must not be less than 8'",
  'register passwords differ': "'the two passwords entered do not match'",
  'register required': 'Username and password are required',
  'register placeholders': 'The hints say: username at most 12, password 8 to 20',
  'register check running': "'please retry in a few seconds, the check is running'",
  'send code': 'A code needs an email',
  'reset email': 'The reset needs an email',
  'reset check running': "'please retry in a few seconds, Turnstile is checking the user environment'",
  'email bind': 'Confirming an email without a code does nothing',
  'wechat code': 'WeChat login and binding need a code',
  'account deletion': "'please enter your account name to confirm deletion'",
  'user search': 'The search is trimmed; an empty one shows the list again',
  'email whitelist': 'A domain is added only if it is not empty and not there; saved only when changed',
  'secret fields': 'Secrets are saved only when not empty and changed',
  'server addresses': 'Addresses lose their trailing slash',
  'ratio fields': "Ratios must be JSON: 'model ratio is not a valid JSON string', and for completion and group",
  'user create': 'A new user needs username and password, at least 8 long',
  'token name': 'A token needs a name',
  'token expiry': "'expiry time format error'",
  'token quota': 'The quota of a token is sent as a whole number',
  'channel name and key': "'please fill in channel name and channel key'",
  'channel models': "'please choose at least one model'",
  'channel mapping': 'A model mapping must be JSON',
  'channel base url': 'A base URL loses its trailing slash',
  'channel other': 'The field `other` begins as 2024-03-01-preview for type 3 and as v2.1 for type 18',
  'channel blank numbers': 'Blank priority and weight are ignored',
  'top-up': "'please enter the top-up code'",
  'redemption create': 'A code needs a name; count and quota are whole numbers',
  'key hints by channel type':
    'Key hints: 15 APIKey|SecretKey, 18 APPID|APISecret|APIKey, 22 APIKey-AppId, 23 AppId|SecretId|SecretKey',
})

const rights = items(6, {
  navigation: 'The navigation hides what is for admins from others, and without a stored user nobody counts as one',
  'ordinary user': 'An ordinary user is refused what admins manage, by the page and by the server',
  'super admin rows': 'Rows of super admins have no actions',
})

const failures = items(8, {
  'server message': 'A refusal shows what the server says',
  401: 'Status 401 leads to /login?expired=true',
  429: "'too many requests, try again later'",
  500: "'internal server error, contact the administrator'",
  405: "'this site is a demo only, with no server'",
  'other status': "Any other status: 'Error: ' and the message",
  'no http': "A failure without HTTP reads 'Error: ' and its message, or the value itself",
  'status fetch': "'unable to connect to the server normally'",
  'log clear failure': "'log clear failed: {message}'",
  'top-up exception': "'request failed'",
  'clipboard failure': 'What cannot be copied is put into the search box, with a warning',
  'latest version': "'already the latest version'",
  'toast operation': 'Operation completed',
  'toast registration': 'Registration succeeded',
  'toast login': 'Login succeeded',
  'toast code sent': 'Verification code sent, check your mailbox',
  'toast token reset': 'Token reset and copied',
  'toast invite': 'Invite link copied',
  'toast wechat bound': 'Messaging-app account bound',
  'toast email bound': 'Email bound',
  'toast account deleted': 'Account deleted',
  'toast channel created': 'Channel created',
  'toast channel updated': 'Channel updated',
  'toast token created': 'Token created',
  'toast token updated': 'Token updated',
  'toast redemption created': 'Redemption code created',
  'toast redemption updated': 'Redemption code updated',
  'toast top-up': 'Top-up success',
  'toast logged out': 'Logged out',
  'toast channel tested': 'Channel tested, with the time taken',
  'toast balance updated': 'Balance updated',
  'toast disabled channels deleted': 'Disabled channels deleted, with the count',
  turnstile: "'Failed to load Turnstile.'",
})

const limits = items(9, {
  'page size': 'A page has 10 rows',
  'page count': 'Pages: total divided by the page size, rounded up, and one more when the total is an exact multiple',
  'pagination siblings': 'The pager shows one page at each side',
  'toast durations':
    'Toasts last 1500 ms (success), 3000 (info), 5000 (error), 10000 (warning), 20000 (notice), at the top right; top centre up to 600 px; what is persistent stays',
  'chunk timeout': 'Code of a page that has not come after 120000 ms has failed',
  cooldown: 'Codes can be sent every 30 seconds',
  'wechat code validity': 'WeChat codes are valid for 3 minutes',
  'username cut': 'Usernames are cut at 15 characters',
  'smtp port': 'The SMTP port shown is 587',
  'quota display':
    'Quota is dollars (quota divided by quota per unit) with 2 decimals where display in currency is on; else a count: from 10,000 in k with one decimal, from a million in M, from a thousand million in B',
  'group colours': 'vip and pro are yellow, svip and premium red, an empty group is default',
  'token defaults': 'A new token has an empty name, remain_quota 500000, expired_time -1 (never) and is not unlimited',
  'redemption defaults': 'New redemption codes have quota 100000 and count 1',
  'quick token expiry': 'Quick expiry: one month (30 days), one day, one hour, one minute',
  'log window': 'The log begins at 0 and ends an hour from now',
  'clear log default': 'The time up to which history is cleared begins at 30 days (2592000 s) ago',
  'response thresholds': 'The thresholds of response times are 1000, 3000 and 5000 ms',
  'special channel types':
    'Types with fields of their own: 3 Azure (API version), 8 custom (address), 15 Baidu, 17 plugin, 18 Spark (version), 21 knowledge base, 22 private deployment, 23 Tencent',
  'balance by type':
    'Balances: types 1 and 8 in dollars, 4 and 12 in yuan, 5 in yuan divided by 10000, 10 and 13 as quota, others unsupported',
  'suggested mappings':
    'Suggested mappings: gpt-3.5-turbo-0301 to gpt-3.5-turbo, gpt-4-0314 to gpt-4, gpt-4-32k-0314 to gpt-4-32k',
  'role thresholds': 'Admins from 10, super admins from 100',
  minimums: 'Weight, retries and quota settings do not go below 0',
})

export const specItems: readonly SpecItem[] = [...screens, ...states, ...validation, ...rights, ...failures, ...limits]
