import { readTable } from '#server/testing/drawn-table.ts'
import type { Row } from '#server/testing/old-database.ts'
import type { OneApiTable, OneApiVersion } from './schema.ts'

export const passwords = { root: 'root-of-old', ann: 'secret-of-ann' }
export const keys = {
  ann: 'AnnKey0000000000000000000000000000000000000000ab',
  owing: 'Owing000000000000000000000000000000000000000000a',
  ghost: 'Ghost000000000000000000000000000000000000000000a',
}
export const accessToken = '0123456789abcdef0123456789abcdef'

export interface Making {
  readonly version: OneApiVersion
  readonly upstream: string
  readonly hashes: { readonly root: string; readonly ann: string }
}

const users = `
id | username  | password   | display_name | role | status | email            | github_id | wechat_id | access_token | quota           | used_quota | request_count | group             | aff_code | inviter_id
1  | root      | $root      | Root User    | 100  | 1      |                  |           |           | $token       | 500000000000000 | 0          | 0             | default           |          | 0
2  | ann       | $ann       | Ann          | 10   | 1      | Ann@Example.com  | ann-codes |           | ffff         | 1000000         | 250000     | 17            | vip , default,vip | aB3d     | 0
3  | bob       |            | Bob          | 1    | 1      | ann@example.com  |           | wx-1      | eeee         | -1234           | 0          | 0             | default           | Qw9z     | 2
4  | deleted_x | $ann       | Gone         | 1    | 3      | gone@example.com | ann-codes | wx-1      | dddd         | 77              | 0          | 0             | default           | zzzz     | 0
5  |           | plain text |              | 1    | 2      | gone@example.com |           |           | cccc         | 5               | 0          | 0             |                   | yyyy     | 4
70 | carol     | $ann       | Carol        | 1    | 1      |                  | Ann-Codes | wx-1      | bbbb         | 42              | 0          | 0             | default           | xxxx     | 2`

const tokens = `
id | user_id | key    | name   | status | created_time | accessed_time | expired_time | remain_quota | unlimited_quota | used_quota | models                       | subnet
1  | 2       | $laptop | laptop | 1      | 1700000000   | 1710000000    | -1           | 600000       | false           | 1500       | gpt-4o, gpt-4o,gpt-3.5-turbo | 127.0.0.0/8
2  | 2       | $owing | owing  | 1      | 1700000000   | 1710000000    | 0            | -50          | true            | 50         | null                         | the office
9  | 4       | $ghost | ghost  | 1      | 1700000000   | 1710000000    | -1           | 10           | false           | 0          | null                         |`

/** Those from 10 on are of types only newer versions have. */
const channels = `
id | type | key          | status | name       | weight | priority | base_url                                                  | other       | balance | models                         | group        | used_quota | model_mapping | config                                     | system_prompt
1  | 1    | upstream-key | 1      | main       | null   | null     | $upstream/                                                |             | 1.5     | gpt-4o, gpt-4o ,gpt-3.5-turbo, | default, vip | 900        |               |                                            |
2  | 3    | azure        | 1      | azure      | 0      | 0        | https://x.openai.azure.com                                | 2023-05-15  | 0       | gpt-4                          | default      | 0          | {not json     | {"api_version":"2024-06-01","region":""}   |
3  | 8    | k            | 3      |            | 0      | 0        |                                                           |             | 0       | gpt-4                          | default      | 0          | {}            | null                                       |
4  | 21   | k            | 1      | library    | 0      | 0        | null                                                      | old-library | 0       | gpt-3.5-turbo                  | default      | 0          | null          |                                            |
10 | 36   | k            | 1      | deepseek   | 0      | 0        |                                                           |             | 0       | deepseek-chat                  | default      | 0          |               | {}                                         | Be kind.
11 | 33   | k            | 1      | aws        | 0      | 0        |                                                           |             | 0       | claude-3-opus-20240229         | default      | 0          |               | {"region":"us-east-1"}                     |
12 | 51   | k            | 1      | gemini     | 0      | 0        | https://generativelanguage.googleapis.com/v1beta/openai/ |             | 0       | gemini-2.0-flash               | default      | 0          |               |                                            |
13 | 50   | k            | 1      | compatible | 0      | 0        | https://llm.example.com/v1                                |             | 0       | gpt-4                          | default      | 0          |               |                                            |
14 | 50   | k            | 1      | odd        | 0      | 0        | https://llm.example.com/api                               |             | 0       | gpt-4                          | default      | 0          |               |                                            |`

const abilities = `
group   | model     | channel_id | enabled | priority
default | long-gone | 99         | true    | 0`

const redemptions = `
id | user_id | key    | status | name | quota | created_time | redeemed_time
1  | 1       | code-1 | 1      | gift | 5000  | 1700000000   | 0
2  | 4       | code-2 | 3      | gift | 5000  | 1700000000   | 1700000100`

const options = `
key                      | value
SystemName               | Old Relay
Theme                    | berry
ModelRatio               | {"gpt-4o": 1}
CompletionRatio          | {"gpt-4o": 4}
GroupRatio               | {"default": 1, "vip":
SMTPToken                | mail-secret
EmailVerificationEnabled | "true"
QuotaForNewUser          | "-5"
OidcEnabled              | "true"
LarkClientId             | lark`

const logs = `
id | user_id | created_at | type | content      | username  | token_name | model_name | quota | prompt_tokens | completion_tokens | channel_id | request_id | elapsed_time | duration | is_stream
1  | 2       | 1700000000 | 1    | topped up    | ann       |            |            | 0     | 0             | 0                 | 0          |            | 0            | 0        | false
2  | 2       | 1700000100 | 2    | ratio 1      | ann       | laptop     | gpt-4o     | 1500  | 100           | 350               | 1          | r-1        | 1234         | 1.234    | true
5  | 4       | 1700000200 | 2    | ghost        | deleted_x |            | gpt-4o     | 9     | 1             | 1                 | 1          |            | 0            | 0        | false
7  | 1       | 1700000300 | 5    | channel test | root      |            | gpt-4o     | 0     | 0             | 0                 | 1          |            | 0            | 0        | false`

/** A server that has seen some years: debts, twins, ghosts, and columns and channel types only newer versions know. */
export function oneApiRows({ version, upstream, hashes }: Making): Record<OneApiTable, Row[]> {
  const names = { ...hashes, token: accessToken, laptop: keys.ann, owing: keys.owing, ghost: keys.ghost, upstream }
  const drawings = { users, tokens, channels, abilities, redemptions, options, logs }
  const all = Object.entries(drawings).map(([table, drawing]) => [table, readTable(drawing, names)])
  const tables = Object.fromEntries(all) as Record<OneApiTable, Row[]>
  const known = version === '0.6.11' ? tables.channels : tables.channels.filter(({ id }) => Number(id) < 10)
  return { ...tables, channels: known }
}
