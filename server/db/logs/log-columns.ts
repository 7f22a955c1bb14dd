import type { LogsTable } from './logs-table.ts'

/** Every column of a log row that is written, with its type on PostgreSQL. Both engines write by this list. */
export const logColumns = {
  user_id: 'bigint',
  created_at: 'bigint',
  type: 'bigint',
  content: 'text',
  username: 'text',
  token_name: 'text',
  model_name: 'text',
  quota: 'bigint',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  channel: 'bigint',
  request_id: 'text',
  duration_ms: 'bigint',
  first_byte_ms: 'bigint',
  is_stream: 'bigint',
  outcome: 'text',
  tried: 'text',
  detail: 'text',
  token_id: 'bigint',
  team_id: 'bigint',
  group: 'text',
  cached_tokens: 'bigint',
  cost: 'bigint',
  route: 'text',
} as const satisfies Record<Exclude<keyof LogsTable, 'id'>, 'bigint' | 'text'>

export type LogColumn = keyof typeof logColumns

export const logColumnNames = Object.keys(logColumns) as LogColumn[]

/** A row of which nothing is known yet: rows about people and the system fill only a part. */
export const emptyLogRow = {
  ...Object.fromEntries(logColumnNames.map((name) => [name, logColumns[name] === 'text' ? '' : 0])),
  cost: null,
} as Omit<LogsTable, 'id'>
