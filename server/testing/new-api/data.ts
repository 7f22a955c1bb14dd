import { readTable } from '#server/testing/drawn-table.ts'
import { bcrypt, createOldDatabase, type OldDatabase } from '#server/testing/old-database.ts'
import { type NewApiTable, type NewApiVersion, schemas } from './schema.ts'

export const passwords = { root: 'root-of-new', ann: 'ann-of-new', bob: 'bob-of-new' }
/** What bob's authenticator holds. */
export const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const keyOf = (name: string): string => name.padEnd(48, '0')
export const keys = {
  plain: keyOf('AnnPlain'),
  models: keyOf('AnnModels'),
  home: keyOf('AnnHome'),
  vip: keyOf('AnnVip'),
  foreign: keyOf('AnnForeign'),
  deleted: keyOf('AnnDeleted'),
  expired: keyOf('AnnExpired'),
  disabled: keyOf('AnnDisabled'),
  unlimited: keyOf('BobUnlimited'),
  gone: keyOf('GoneUser'),
  nothing: keyOf('AnnNothing'),
  auto: keyOf('AnnAuto'),
}

const users = `
id | username | password | display_name | role | status | email           | github_id | wechat_id | telegram_id | linux_do_id | access_token | quota   | used_quota | request_count | group   | aff_code | aff_count | aff_quota | aff_history | inviter_id | deleted_at          | oidc_id | created_at
1  | root     | $root    | Root         | 100  | 1      |                 |           |           |             |             | $token       | 900000  | 0          | 0             | default | rrrr     | 0         | 0         | 0           | 0          | null                |         | 1700000000
2  | ann      | $ann     | Ann          | 1    | 1      | ann@example.com | "583231"  | wx-ann    |             |             | null         | 1000000 | 5000       | 12            | default | aaaa     | 0         | 700       | 700         | 1          | null                | sub-ann | 1700000001
3  | bob      | $bob     | Bob          | 1    | 1      | bob@example.com | bob-codes |           |             | 42          | null         | 250000  | 0          | 0             | vip     | bbbb     | 0         | 0         | 0           | 2          | null                |         | 1700000002
4  | gone     | $ann     | Gone         | 1    | 1      | gone@example.com |          |           |             |             | null         | 777     | 0          | 0             | default | gggg     | 0         | 0         | 0           | 0          | 2024-05-01 10:00:00 |         | 1700000003
5  | cat      | $ann     | Cat          | 1    | 2      |                 |           |           |             |             | null         | -20     | 0          | 0             | default | cccc     | 0         | 0         | 0           | 4          | null                |         | 1700000004`

const tokens = `
id | user_id | key        | name      | status | created_time | accessed_time | expired_time | remain_quota | unlimited_quota | used_quota | model_limits_enabled | model_limits    | allow_ips              | group   | deleted_at          | auto_groups
1  | 2       | $plain     | plain     | 1      | 1700000000   | 1710000000    | -1           | 500000       | false           | 10         | false                | gpt-4o          |                        |         | null                |
2  | 2       | $models    | models    | 1      | 1700000000   | 1710000000    | -1           | 500000       | false           | 0          | true                 | gpt-4o-mini,m-2 | null                   |         | null                |
3  | 2       | $home      | home      | 1      | 1700000000   | 1710000000    | -1           | 500000       | false           | 0          | false                |                 | 203.0.113.0/24         |         | null                |
4  | 2       | $vip       | vip       | 1      | 1700000000   | 1710000000    | -1           | 500000       | false           | 0          | false                |                 |                        | vip     | null                |
5  | 2       | $foreign   | foreign   | 1      | 1700000000   | 1710000000    | -1           | 500000       | false           | 0          | false                |                 |                        | staff   | null                |
6  | 2       | $deleted   | deleted   | 1      | 1700000000   | 1710000000    | -1           | 500000       | false           | 0          | false                |                 |                        |         | 2024-05-01 10:00:00 |
7  | 2       | $expired   | expired   | 1      | 1700000000   | 1710000000    | 1700000500   | 500000       | false           | 0          | false                |                 |                        |         | null                |
8  | 2       | $disabled  | disabled  | 2      | 1700000000   | 1710000000    | -1           | 500000       | false           | 0          | false                |                 |                        |         | null                |
9  | 3       | $unlimited | unlimited | 1      | 1700000000   | 1710000000    | -1           | -1           | true            | 0          | false                |                 |                        |         | null                |
10 | 4       | $gone      | gone      | 1      | 1700000000   | 1710000000    | -1           | 500000       | false           | 0          | false                |                 |                        |         | null                |
11 | 2       | $nothing   | nothing   | 1      | 1700000000   | 1710000000    | -1           | 500000       | false           | 0          | true                 |                 |                        |         | null                |
12 | 2       | $auto      | auto      | 1      | 1700000000   | 1710000000    | -1           | 500000       | false           | 0          | false                |                 |                        | auto    | null                |`

const pool = '{"is_multi_key":true,"multi_key_size":3,"multi_key_status_list":{"1":2},"multi_key_mode":"polling"}'

/** A vertical line would end a cell: keys of several parts are put in afterwards. */
const channels = `
id | type | key       | open_ai_organization | test_model | status | name      | weight | priority | base_url                          | other  | balance | models               | group       | model_mapping        | status_code_mapping | auto_ban | tag  | setting                              | param_override    | header_override     | channel_info
1  | 1    | up-1      | org-1               | gpt-4o     | 1      | main      | 5      | 10       | $upstream                         |        | 0       | gpt-4o,gpt-4o-mini,m-2,gpt-5,alias,per-request,unpriced | default,vip | {"alias":"gpt-4o"} | {"429":"500"} | 1 | east | {"proxy":"","system_prompt":"Be kind"} | {"temperature":0} | {"X-Team":"blue"}   |
2  | 48   | up-2      | null                | null       | 1      | xai       | 0      | 0        | null                              |        | 0       | grok-3               | default     | null                 | null                | 1        | null | null                                 | null              | null                | null
3  | 43   | up-3      |                     |            | 1      | deepseek  | 0      | 0        | $upstream/deep                    |        | 0       | deepseek-chat        | default     |                      |                     | 1        |      |                                      |                   |                     |
4  | 2    | up-4      |                     |            | 1      | drawings  | 0      | 0        | $upstream                         |        | 0       | mj_imagine           | default     |                      |                     | 1        |      |                                      |                   |                     |
5  | 8    | up-5      |                     |            | 1      | whole     | 0      | 0        | $upstream/odd/chat/completions    |        | 0       | odd-model            | default     |                      |                     | 1        |      |                                      |                   |                     |
6  | 1    | $keys     |                     |            | 1      | pool      | 0      | 0        | $upstream                         |        | 0       | pooled               | default     |                      |                     | 1        |      |                                      |                   |                     | $pool
7  | 8    | up-7      |                     |            | 1      | model-in  | 0      | 0        | $upstream/{model}/ask             |        | 0       | odd-2                | default     |                      |                     | 1        |      |                                      |                   |                     |
8  | 1    | up-8      |                     |            | 2      | off       | 0      | 0        | $upstream                         |        | 0       | off-model            | default     |                      |                     | 1        |      |                                      |                   |                     |
9  | 1    | up-9      |                     |            | 1      | staff     | 0      | 0        | $upstream                         |        | 0       | staff-model          | staff       |                      |                     | 1        |      |                                      |                   |                     |
10 | 1    | up-10     |                     |            | 1      | vips      | 0      | 0        | $upstream                         |        | 0       | gpt-4.1              | vip         |                      |                     | 1        |      |                                      |                   |                     |
11 | 1    | up-11     |                     |            | 1      | copies    | 0      | 0        | $upstream                         |        | 0       | copied               | default     |                      |                     | 1        |      |                                      |                   | {"X-Who":"{client_header:x-who}"} |`

const redemptions = `
id | user_id | key       | status | name | quota | created_time | redeemed_time | used_user_id | deleted_at          | expired_time
1  | 1       | code-good | 1      | gift | 5000  | 1700000000   | 0             | 0            | null                | 0
2  | 1       | code-gone | 1      | gift | 5000  | 1700000000   | 0             | 0            | 2024-05-01 10:00:00 | 0
3  | 1       | code-late | 1      | gift | 5000  | 1700000000   | 0             | 0            | null                | 1700000500
4  | 1       | code-used | 3      | gift | 5000  | 1700000000   | 1700000100    | 2            | null                | 0
5  | 1       | code-soon | 1      | gift | 5000  | 1700000000   | 0             | 0            | null                | 4100000000`

const options = `
key                                  | value
SystemName                           | New Relay
ModelPrice                           | {"per-request":0.02,"pooled":0.01,"odd-model":0.01,"odd-2":0.01,"alias":0.01}
CacheRatio                           | {"gpt-4o":0.25}
GroupRatio                           | {"default":1,"vip":0.5,"staff":1}
UserUsableGroups                     | {"default":"d","vip":"v","auto":"a"}
AutoGroups                           | ["default","vip"]
ModelRequestRateLimitEnabled         | "true"
ModelRequestRateLimitDurationMinutes | 2
ModelRequestRateLimitSuccessCount    | 1000
ModelRequestRateLimitGroup           | {"vip":[200,100]}
oidc.enabled                         | "true"
oidc.client_id                       | relay
oidc.client_secret                   | oidc-secret
oidc.well_known                      | https://id.example.com/.well-known/openid-configuration
DrawingEnabled                       | "true"`

const logs = `
id | user_id | created_at | type | content | username | token_name | model_name | quota | prompt_tokens | completion_tokens | use_time | is_stream | channel_id | token_id | other                                  | group   | ip | request_id
1  | 2       | 1700000100 | 2    | ok      | ann      | plain      | gpt-4o     | 1500  | 1000          | 350               | 3        | true      | 1          | 1        | {"cache_tokens":600,"cache_ratio":0.5} | default |    | req-1
2  | 4       | 1700000200 | 2    | ok      | gone     | gone       | gpt-4o     | 9     | 1             | 1                 | 1        | false     | 1          | 10       |                                        | default |    |
3  | 2       | 1700000300 | 5    | failed  | ann      | plain      | gpt-4o     | 0     | 0             | 0                 | 1        | false     | 1          | 1        |                                        | default |    |`

const topUps = `
id | user_id | amount | money | trade_no | status  | create_time | payment_method | complete_time
1  | 2       | 1      | 7.3   | t-1      | success | 1700000050  | alipay         | 1700000060
2  | 2       | 5      | 36.5  | t-2      | pending | 1700000070  | alipay         | 0
3  | 3       | 10     | 2     | t-3      | success | 1700000080  | stripe         | 1700000090`

const drawings: Readonly<Record<NewApiTable, string>> = {
  users,
  tokens,
  channels,
  redemptions,
  options,
  logs,
  top_ups: topUps,
  midjourneys: 'id | user_id | prompt\n1 | 2 | a cat\n2 | 2 | a dog',
  two_fas: 'id | user_id | secret | is_enabled | deleted_at\n1 | 3 | $totp | true | null\n2 | 2 | $totp | false | null',
  two_fa_backup_codes: 'id | user_id | code_hash | is_used | deleted_at\n1 | 3 | x | false | null',
}

/** A new-api server with everything that was once misread. */
export async function createNewApi(version: NewApiVersion, upstream: string): Promise<OldDatabase> {
  const [root, ann, bob] = await Promise.all([passwords.root, passwords.ann, passwords.bob].map(bcrypt))
  const values = { ...keys, upstream, pool, totp: totpSecret, keys: 'up-6a\nup-6b\nup-6c', token: '0'.repeat(32) }
  const all = { ...values, root: root ?? '', ann: ann ?? '', bob: bob ?? '' }
  const tables = Object.entries(schemas[version]).map(([table, columns]) => {
    const rows = readTable(drawings[table as NewApiTable], { ...all, keys: '$lines' })
    const withLines = rows.map((row) => (row.key === '$lines' ? { ...row, key: values.keys } : row))
    return [table, { columns: columns ?? {}, rows: withLines }]
  })
  return createOldDatabase(Object.fromEntries(tables))
}
