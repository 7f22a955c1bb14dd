import type { Columns } from '#server/testing/old-database.ts'

export type OneApiVersion = '0.6.4' | '0.6.11' | 'fork'

const users: Columns = {
  id: 'id',
  username: 'name',
  password: 'text',
  display_name: 'name',
  role: 'whole',
  status: 'whole',
  email: 'name',
  github_id: 'name',
  wechat_id: 'name',
  access_token: 'char(32)',
  quota: 'big',
  used_quota: 'big',
  request_count: 'whole',
  group: 'varchar(32)',
  aff_code: 'varchar(32)',
  inviter_id: 'whole',
}
const tokens: Columns = {
  id: 'id',
  user_id: 'whole',
  key: 'char(48)',
  status: 'whole',
  name: 'name',
  created_time: 'big',
  accessed_time: 'big',
  expired_time: 'big',
  remain_quota: 'big',
  unlimited_quota: 'flag',
  used_quota: 'big',
}
const channels: Columns = {
  id: 'id',
  type: 'whole',
  key: 'text',
  status: 'whole',
  name: 'name',
  weight: 'whole',
  created_time: 'big',
  test_time: 'big',
  response_time: 'whole',
  base_url: 'name',
  other: 'text',
  balance: 'real',
  balance_updated_time: 'big',
  models: 'text',
  group: 'varchar(32)',
  used_quota: 'big',
  model_mapping: 'varchar(1024)',
  priority: 'big',
  config: 'text',
}
const abilities: Columns = {
  group: 'varchar(32)',
  model: 'name',
  channel_id: 'whole',
  enabled: 'flag',
  priority: 'big',
}
const redemptions: Columns = {
  id: 'id',
  user_id: 'whole',
  key: 'char(32)',
  status: 'whole',
  name: 'name',
  quota: 'big',
  created_time: 'big',
  redeemed_time: 'big',
}
const options: Columns = { key: 'name', value: 'text' }
const logs: Columns = {
  id: 'id',
  user_id: 'whole',
  created_at: 'big',
  type: 'whole',
  content: 'text',
  username: 'name',
  token_name: 'name',
  model_name: 'name',
  quota: 'whole',
  prompt_tokens: 'whole',
  completion_tokens: 'whole',
  channel_id: 'whole',
}

export type OneApiTable = 'users' | 'tokens' | 'channels' | 'abilities' | 'redemptions' | 'options' | 'logs'

const first = { users, tokens, channels, abilities, redemptions, options, logs }

/** Columns were only ever added. */
export const schemas: Readonly<Record<OneApiVersion, Readonly<Record<OneApiTable, Columns>>>> = {
  '0.6.4': first,
  '0.6.11': {
    ...first,
    users: { ...users, lark_id: 'name', oidc_id: 'name' },
    tokens: { ...tokens, models: 'text', subnet: 'name' },
    channels: { ...channels, system_prompt: 'text' },
    logs: { ...logs, request_id: 'name', elapsed_time: 'big', is_stream: 'flag', system_prompt_reset: 'flag' },
  },
  fork: {
    ...first,
    users: { ...users, google_id: 'name', user_remind_threshold: 'big', user_last_notice_time: 'big' },
    tokens: { ...tokens, token_remind_threshold: 'big', token_last_notice_time: 'big' },
    logs: { ...logs, request_id: 'name', duration: 'real' },
  },
}
