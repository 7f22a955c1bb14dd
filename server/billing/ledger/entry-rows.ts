import type { NewEntry } from './decide.ts'

/** Every column of an entry that a request writes, with its type on PostgreSQL. Both engines write by this list. */
export const entryColumns = {
  user_id: 'bigint',
  token_id: 'bigint',
  team_id: 'bigint',
  kind: 'text',
  amount: 'bigint',
  token_amount: 'bigint',
  team_amount: 'bigint',
  ref: 'text',
  created_at: 'bigint',
  admitted_at: 'bigint',
} as const

export type EntryColumn = keyof typeof entryColumns

export const entryRow = (entry: NewEntry): Record<EntryColumn, string | number> => ({
  user_id: entry.userId,
  token_id: entry.tokenId,
  team_id: entry.teamId,
  kind: 'settle',
  amount: entry.amount,
  token_amount: entry.tokenAmount,
  team_amount: entry.teamAmount,
  ref: entry.ref,
  created_at: entry.at,
  admitted_at: entry.admittedAt,
})
