import { readTable } from '#server/testing/drawn-table.ts'
import { bcrypt, type Columns, createOldDatabase, type Kind, type OldDatabase } from '#server/testing/old-database.ts'

export const passwords = { root: 'root-of-hub', ann: 'ann-of-hub' }

const key = (name: string) => `${name}0000000000_0123456789-abcdefghijklmnopqrstuvwxyz-0123456`

export const keys = {
  plain: key('plain'),
  models: key('model'),
  home: key('homes'),
  team: key('teams'),
  backup: key('backs'),
  closed: key('close'),
  nothing: key('nones'),
  expired: key('expir'),
  off: key('offed'),
  deleted: key('delet'),
  gone: key('gonex'),
  torn: key('tornx'),
  shape: key('shape'),
}

const users = `
id | username | password | display_name | role | status | email | github_id | github_id_new | oidc_id | access_token | quota   | used_quota | request_count | group   | aff_code | inviter_id | created_time | aff_quota | telegram_id | deleted_at
1  | root     | $root    | Root         | 100  | 1      |       |           | 0             |         | aaaa         | 900000  | 0          | 0             | default | a        | 0          | 1700000000   | 0         | 0           | null
2  | ann      | $ann     | Ann          | 3    | 1      | a@b.c | ann-codes | 4711          |         | bbbb         | 1000000 | 500        | 3             | default | b        | 0          | 1700000000   | 700       | 0           | null
3  | gone     | $ann     | Gone         | 1    | 1      |       |           | 0             |         | cccc         | 1000    | 0          | 0             | default | c        | 0          | 1700000000   | 0         | 0           | 2025-01-01 00:00:00`

const models = (names: string) => `{"limits":{"limit_model_setting":{"enabled":true,"models":[${names}]}}}`
const addresses = '{"limits":{"limits_ip_setting":{"enabled":true,"whitelist":["10.0.0.0/8"]}}}'

const tokens = `
id | user_id | key      | status | name    | created_time | accessed_time | expired_time | remain_quota | unlimited_quota | used_quota | group | backup_group | setting                    | deleted_at
1  | 2       | $plain   | 1      | plain   | 1700000000   | 1700000000    | -1           | -1           | true            | 0          |       |              | {}                         | null
2  | 2       | $models  | 1      | models  | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |       |              | ${models('"gpt-4o"')}      | null
3  | 2       | $home    | 1      | home    | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |       |              | ${addresses}               | null
4  | 2       | $team    | 1      | team    | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          | team  |              | {}                         | null
5  | 2       | $backup  | 1      | backup  | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |       | team         | {}                         | null
6  | 2       | $closed  | 1      | closed  | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          | shut  |              | {}                         | null
7  | 2       | $nothing | 1      | nothing | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |       |              | ${models('')}              | null
8  | 2       | $expired | 1      | expired | 1700000000   | 1700000000    | 1700000001   | 500000       | false           | 0          |       |              | {}                         | null
9  | 2       | $off     | 2      | off     | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |       |              | {}                         | null
10 | 2       | $deleted | 1      | deleted | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |       |              | {}                         | 2025-01-01 00:00:00
11 | 3       | $gone    | 1      | gone    | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |       |              | {}                         | null
12 | 2       | $torn    | 1      | torn    | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |       |              | ${addresses.slice(0, -2)}  | null
13 | 2       | $shape   | 1      | shape   | 1700000000   | 1700000000    | -1           | 500000       | false           | 0          |       |              | ${models('4')}             | null`

const channels = `
id | type | key  | status | name    | weight | base_url     | other | models                                       | group        | tag  | model_mapping                         | model_headers  | custom_parameter  | priority | proxy | test_model | plugin | deleted_at
1  | 1    | up-1 | 1      | main    | 1      | $upstream    |       | gpt-4o,unknown,by-call,wild-1,cheap,dear     | default,team,shut | east | {"cheap":"gpt-4o","dear":"+gpt-4o"}   | {"x-a":"blue"} | {"temperature":0} | 5        |       | gpt-4o     | null   | null
2  | 1    | up-2 | 1      | team    | 1      | $upstream    |       | team-model                                   | team         |      |                                       |                |                   | 0        |       |            | null   | null
3  | 31   | up-3 | 1      | groq    | 1      | $upstream/g  |       | groq-model                                   | default      |      |                                       |                |                   | 0        |       |            | null   | null
4  | 34   | up-4 | 1      | drawing | 1      | $upstream    |       | mj_imagine                                   | default      |      |                                       |                |                   | 0        |       |            | null   | null
5  | 1    | up-5 | 1      | deleted | 1      | $upstream    |       | deleted-model                                | default      |      |                                       |                |                   | 0        |       |            | null   | 2025-01-01 00:00:00`

const prices = `
model   | type   | channel_type | input | output | locked | extra_ratios
gpt-4o  | tokens | 1            | 2.5   | 7.5    | false  | {"cached_tokens":0.5}
wild-*  | tokens | 1            | 2     | 6      | false  | null
dear    | tokens | 1            | 10    | 10     | false  | null
by-call | times  | 1            | 25    | 25     | false  | null`

const drawings = {
  users,
  tokens,
  channels,
  prices,
  user_groups: `
id | symbol  | name    | ratio | api_rate | enable
1  | default | Default | 1     | 600      | true
2  | team    | Team    | 0.5   | 90       | true
3  | shut    | Shut    | 1     | 90       | false`,
  redemptions:
    'id | user_id | key | status | name | quota | created_time | redeemed_time\n1 | 1 | code-1 | 1 | gift | 5000 | 1700000000 | 0',
  options: 'key | value\nSystemName | Old hub\nOldTokenMaxId | 0',
  orders:
    'id | user_id | quota | status | created_at | deleted_at\n1 | 2 | 3000 | success | 1700000100 | null\n2 | 2 | 9000 | pending | 1700000100 | null',
  statistics: 'user_id | quota\n2 | 500',
  logs: `
id | user_id | created_at | type | content | username | token_name | model_name | quota | prompt_tokens | completion_tokens | channel_id | request_time | is_stream | metadata
1  | 2       | 1700000200 | 2    |         | ann      | plain      | gpt-4o     | 500   | 100           | 20                | 1          | 1500         | true      | {"cached_tokens":40,"group_name":"default"}`,
}

const kinds: Readonly<Record<string, Kind>> = {
  id: 'id',
  ratio: 'real',
  input: 'real',
  output: 'real',
  unlimited_quota: 'flag',
  locked: 'flag',
  enable: 'flag',
  is_stream: 'flag',
  deleted_at: 'time',
}
const numbers =
  /^(.*_id|github_id_new|role|.*quota|.*_count|.*_time|created_at|type|weight|priority|api_rate|channel_type|.*_tokens)$/

const kindOf = (table: string, column: string): Kind =>
  kinds[column] ??
  (column === 'status' ? (table === 'orders' ? 'name' : 'whole') : undefined) ??
  (numbers.test(column) && !/^(github|oidc|wechat)_id$/.test(column) && `${table}.${column}` !== 'prices.type'
    ? 'big'
    : 'text')

/** Columns that are read and that no row here has something in. */
const others: Readonly<Record<string, readonly string[]>> = {
  users: ['wechat_id'],
  channels: ['created_time', 'test_time', 'response_time', 'balance', 'balance_updated_time', 'used_quota'],
}

/** A one-hub server with everything that was once misread. */
export async function createOneHub(upstream: string): Promise<OldDatabase> {
  const [root = '', ann = ''] = await Promise.all([passwords.root, passwords.ann].map(bcrypt))
  const tables = Object.entries(drawings).map(([table, drawing]) => {
    const rows = readTable(drawing, { ...keys, upstream, root, ann })
    const names = [...Object.keys(rows[0] ?? {}), ...(others[table] ?? [])]
    const columns: Columns = Object.fromEntries(names.map((name) => [name, kindOf(table, name)]))
    return [table, { columns, rows }] as const
  })
  return createOldDatabase(Object.fromEntries(tables))
}
