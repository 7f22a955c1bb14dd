import type { Columns, Kind } from '#server/testing/old-database.ts'

/** The first release that is read, and today's. */
export type NewApiVersion = '0.4' | '1.0'

/** `kind: column column …` for each kind. */
function columns(drawing: Partial<Record<Kind, string>>): Columns {
  const pairs = Object.entries(drawing).flatMap(([kind, names = '']) => names.split(/\s+/).map((name) => [name, kind]))
  return Object.fromEntries(pairs)
}

const users = columns({
  id: 'id',
  name: 'username display_name email github_id wechat_id telegram_id linux_do_id',
  text: 'password',
  whole: 'role status quota used_quota request_count aff_count aff_quota aff_history inviter_id',
  'char(32)': 'access_token',
  'varchar(64)': 'group',
  'varchar(32)': 'aff_code',
  time: 'deleted_at',
})
const tokens = columns({
  id: 'id',
  whole: 'user_id status remain_quota used_quota',
  'char(48)': 'key',
  name: 'name allow_ips group',
  big: 'created_time accessed_time expired_time',
  flag: 'unlimited_quota model_limits_enabled',
  text: 'model_limits',
  time: 'deleted_at',
})
const channels = columns({
  id: 'id',
  whole: 'type status weight response_time auto_ban',
  text: 'key models model_mapping setting other_info',
  name: 'open_ai_organization test_model name base_url other status_code_mapping tag',
  big: 'created_time test_time balance_updated_time used_quota priority',
  real: 'balance',
  'varchar(64)': 'group',
})
const redemptions = columns({
  id: 'id',
  whole: 'user_id status quota used_user_id',
  'char(32)': 'key',
  name: 'name',
  big: 'created_time redeemed_time',
  time: 'deleted_at',
})
const options = columns({ name: 'key', text: 'value' })
const logs = columns({
  id: 'id',
  whole: 'user_id type quota prompt_tokens completion_tokens use_time channel_id token_id',
  big: 'created_at',
  text: 'content other',
  name: 'username token_name model_name',
  flag: 'is_stream',
})
const topUps = columns({
  id: 'id',
  whole: 'user_id amount',
  real: 'money',
  name: 'trade_no status',
  big: 'create_time',
})
const midjourneys = columns({ id: 'id', whole: 'user_id', text: 'prompt' })

const first = { users, tokens, channels, redemptions, options, logs, top_ups: topUps, midjourneys }

export type NewApiTable = keyof typeof first | 'two_fas' | 'two_fa_backup_codes'

export const schemas: Readonly<Record<NewApiVersion, Readonly<Partial<Record<NewApiTable, Columns>>>>> = {
  '0.4': first,
  '1.0': {
    ...first,
    users: {
      ...users,
      ...columns({ name: 'discord_id oidc_id stripe_customer remark', text: 'setting', big: 'created_at' }),
    },
    tokens: { ...tokens, key: 'varchar(128)', ...columns({ flag: 'cross_group_retry', text: 'auto_groups' }) },
    channels: {
      ...channels,
      ...columns({ text: 'param_override header_override channel_info settings', name: 'remark' }),
    },
    redemptions: { ...redemptions, expired_time: 'big' },
    logs: { ...logs, ...columns({ name: 'group ip request_id' }) },
    top_ups: { ...topUps, ...columns({ name: 'payment_method payment_provider', big: 'complete_time' }) },
    two_fas: columns({ id: 'id', whole: 'user_id', name: 'secret', flag: 'is_enabled', time: 'deleted_at' }),
    two_fa_backup_codes: columns({
      id: 'id',
      whole: 'user_id',
      name: 'code_hash',
      flag: 'is_used',
      time: 'deleted_at',
    }),
  },
}
