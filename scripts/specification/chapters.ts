/** What the specification says outside of single rules: chapters in words, in the order of their numbers. */
export const purpose = `
Switchyard is the console and the relay of a gateway in front of many providers of language models, called channels. Ordinary users
hold access tokens, spend quota, top up with redemption codes and read their log. Administrators manage channels, users, codes and
options. Visitors register and log in by password, by a GitHub account or by a WeChat code, each of which an administrator can
switch off. System name, logo (\`/logo.png\` unless set), footer, notice, home page and about page are the operator's own.`

export const routes: Readonly<Record<string, readonly [purpose: string, access: string]>> = {
  '/': ['Home', 'everyone'],
  '/login': ['Login; `?expired=true` after a 401', 'everyone'],
  '/register': ['Registration; takes `?aff={code}`', 'everyone'],
  '/reset': ['Request of a password reset', 'everyone'],
  '/user/reset': ['Confirmation of a reset; reads `email` and `token`', 'everyone'],
  '/oauth/github': ['Return from GitHub; reads `code` and `state`', 'everyone'],
  '/channel, /channel/add, /channel/edit/{id}': ['Channels and their form', 'logged in; in the navigation of admins'],
  '/token, /token/add, /token/edit/{id}': ['Tokens and their form', 'logged in'],
  '/redemption, /redemption/add, /redemption/edit/{id}': [
    'Codes and their form',
    'logged in; in the navigation of admins',
  ],
  '/user, /user/add, /user/edit/{id}, /user/edit': [
    'Users, their forms, the own profile',
    'logged in; in the navigation of admins',
  ],
  '/setting': ['Settings in tabs', 'logged in'],
  '/topup': ['Top up', 'logged in'],
  '/log': ['Usage log', 'logged in'],
  '/about': ['About', 'everyone'],
  '/chat': ['Frame of the chat link, only when one is set', 'everyone'],
  'any other': ['"page does not exist, please check your address"', 'everyone'],
}

export const entities: Readonly<Record<string, string>> = {
  User: '`id, username, display_name, email, password` (never returned, blank in forms)`, github_id, wechat_id, group` (comma list; empty means default)`, quota, used_quota, request_count, role` (1, 10, 100)`, status` (1 activated, 2 banned)',
  Channel:
    '`id, name, type, key` (never returned)`, base_url, other, model_mapping` (JSON text)`, models` and `group` (comma lists)`, status` (1 enabled, 2 manually disabled, 3 automatically disabled)`, priority, weight, response_time` (ms)`, test_time, balance, balance_updated_time`; a new one has type 1 and group default',
  'Channel type': 'a number, a label and a colour; see `shared/channel-types.ts`',
  Token:
    '`id, name, key, status` (1 enabled, 2 disabled, 3 expired, 4 exhausted)`, used_quota, remain_quota, unlimited_quota, created_time, expired_time` (-1: never)',
  Redemption:
    '`id, name, key, status` (1 unused, 2 disabled, 3 used)`, quota, created_time, redeemed_time`, and `count` when creating',
  Log: '`id, created_at, type` (1 top-up, 2 consumption, 3 admin, 4 system)`, channel, username, token_name, model_name, prompt_tokens, completion_tokens, quota, content`',
  Option:
    '`key` and `value`, both text; switches are `true` or `false`; an empty JSON `{}` is shown as empty; every key stands in [options.md](options.md)',
  'Public status':
    '`system_name, logo, footer_html, quota_per_unit, display_in_currency, chat_link, top_up_link, server_address, version, turnstile_check, turnstile_site_key, email_verification, github_oauth, github_client_id, wechat_login, wechat_qrcode`',
  'Stored in the browser':
    '`user` (JSON with a numeric role)`, status, system_name, logo, footer_html, channel_models, aff, quota_per_unit, display_in_currency`, and `prompt-{key}` for a prompt that was shown',
}

export const roles: Readonly<Record<string, string>> = {
  'Ordinary user (1)': 'tokens, top-up, own log, personal settings, about, chat',
  'Admin (10 and up)':
    'channels, codes and users too; operations, system and other settings; the log of everyone, filtered by channel and username; group and quota of users',
  'Super admin (100 and up)':
    "everything; alone sets the top-up link ('the super admin has not set a top-up link'); rows of super admins have no actions",
}
