import { readTable } from '#server/testing/drawn-table.ts'
import {
  bcrypt,
  type Columns,
  createOldDatabase,
  type Kind,
  type OldDatabase,
  type Row,
} from '#server/testing/old-database.ts'

export const passwords = { root: 'root-of-hub', ann: 'ann-of-hub' }

const keyOf = (name: string): string => name.padEnd(48, '0')
export const keys = {
  plain: keyOf('HubPlain'),
  models: keyOf('HubModels'),
  home: keyOf('HubHome'),
  closed: keyOf('HubClosed'),
  deleted: keyOf('HubDeleted'),
}

const kinds: Readonly<Record<string, Kind>> = {
  id: 'id',
  quota: 'big',
  ratio: 'real',
  input: 'real',
  output: 'real',
  balance: 'real',
  deleted_at: 'time',
  unlimited_quota: 'flag',
  is_stream: 'flag',
  enable: 'flag',
}

/** Numbers where every row has one, texts otherwise. */
function columnsOf(rows: readonly Row[]): Columns {
  const isWhole = (name: string) => rows.every((row) => Number.isInteger(row[name]))
  const names = Object.keys(rows[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, kinds[name] ?? (isWhole(name) ? 'big' : 'text')]))
}

const limited = '{"limits":{"limit_model_setting":{"enabled":true,"models":["m-1"]}}}'
const atHome = '{"limits":{"limits_ip_setting":{"enabled":true,"whitelist":["203.0.113.0/24"]}}}'

const drawings = {
  users: `
id | username | password | display_name | role | status | email           | github_id | github_id_new | wechat_id | oidc_id | access_token | quota   | used_quota | request_count | group   | aff_code | inviter_id | created_time | deleted_at
1  | root     | $root    | Root         | 100  | 1      |                 |           | 0             |           |         | hub-root     | 900000  | 0          | 0             | default | rrrr     | 0          | 1700000000   | null
2  | ann      | $ann     | Ann          | 1    | 1      | ann@example.com | ann-codes | 583231        |           |         | hub-ann      | 1000000 | 0          | 0             | default | aaaa     | 1          | 1700000000   | null
3  | gone     | $ann     | Gone         | 1    | 1      |                 |           | 0             |           |         | hub-gone     | 5       | 0          | 0             | default | gggg     | 1          | 1700000000   | 2024-05-01 10:00:00`,
  tokens: `
id | user_id | key      | status | name    | created_time | accessed_time | expired_time | remain_quota | unlimited_quota | used_quota | group  | backup_group | setting  | deleted_at
1  | 2       | $plain   | 1      | plain   | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |        |              | {}       | null
2  | 2       | $models  | 1      | models  | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |        |              | $limited | null
3  | 2       | $home    | 1      | home    | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |        |              | $atHome  | null
4  | 2       | $closed  | 1      | closed  | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          | closed |              | {}       | null
5  | 2       | $deleted | 1      | deleted | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |        |              | {}       | 2024-05-01 10:00:00`,
  channels: `
id | type | key  | status | name   | weight | created_time | test_time | response_time | base_url       | other | balance | balance_updated_time | models      | group   | tag  | used_quota | model_mapping  | model_headers     | custom_parameter | priority | proxy | test_model | plugin | deleted_at
1  | 1    | up-1 | 1      | main   | 1      | 1700000000   | 0         | 0             | $upstream      |       | 0       | 0                    | m-1,alias   | default | east | 0          | {"alias":"m-1"} | {"X-Team":"blue"} |                  | 0        |       |            | {}     | null
2  | 25   | up-2 | 1      | gemini | 1      | 1700000000   | 0         | 0             | $upstream      |       | 0       | 0                    | gemini-x    | default |      | 0          |                |                   |                  | 0        |       |            | {}     | null
3  | 34   | up-3 | 1      | mj     | 1      | 1700000000   | 0         | 0             | $upstream      |       | 0       | 0                    | mj_imagine  | default |      | 0          |                |                   |                  | 0        |       |            | {}     | null
4  | 1    | up-4 | 1      | dead   | 1      | 1700000000   | 0         | 0             | $upstream/dead |       | 0       | 0                    | m-1         | default |      | 0          |                |                   |                  | 9        |       |            | {}     | 2024-05-01 10:00:00`,
  redemptions: `
id | user_id | key      | status | name | quota | created_time | redeemed_time
1  | 1       | hub-code | 1      | gift | 5000  | 1700000000   | 0`,
  options: `
key        | value
SystemName | Hub Relay`,
  prices: `
model | type   | channel_type | input | output | extra_ratios
m-1   | tokens | 1            | 2     | 6      | {"cached_tokens":0.5}`,
  user_groups: `
id | symbol  | name | ratio | api_rate | enable
1  | default | d    | 0.5   | 120      | true
2  | closed  | c    | 1     | 60       | false`,
  logs: `
id | user_id | created_at | type | content | username | token_name | model_name | quota | prompt_tokens | completion_tokens | channel_id | request_time | is_stream | metadata
1  | 2       | 1700000100 | 2    | ok      | ann      | plain      | m-1        | 1500  | 1000          | 350               | 1          | 1234         | true      | {"cached_tokens":600}`,
  orders: `
id | user_id | quota  | status  | created_at | deleted_at
1  | 2       | 250000 | success | 1700000050 | null`,
  midjourneys: 'id | user_id\n1 | 2',
}

/** A small one-hub server with everything that was once misread. */
export async function createOneHub(upstream: string): Promise<OldDatabase> {
  const [root = '', ann = ''] = await Promise.all([passwords.root, passwords.ann].map(bcrypt))
  const values = { ...keys, root, ann, upstream, limited, atHome }
  const tables = Object.entries(drawings).map(([table, drawing]) => {
    const rows = readTable(drawing, values)
    return [table, { columns: columnsOf(rows), rows }]
  })
  return createOldDatabase(Object.fromEntries(tables))
}
