import type { Selectable } from 'kysely'
import type { HoldsTable } from '#server/db/tables.ts'
import type { NewHold } from './decide.ts'

/** Stands for a node where a hold belongs to none: such holds outlive the process that made them. */
export const noNode = 'lasting'

export const lastingColumns = [
  'id',
  'user_id',
  'token_id',
  'team_id',
  'member_id',
  'amount',
  'token_amount',
  'team_amount',
  'budget_amount',
  'created_at',
] as const

export type LastingRow = Omit<Selectable<HoldsTable>, 'node_id' | 'channel_id'>

export const holdOfRow = (row: LastingRow): NewHold => ({
  id: row.id,
  userId: row.user_id,
  tokenId: row.token_id,
  teamId: row.team_id,
  memberId: row.member_id,
  amount: row.amount,
  tokenAmount: row.token_amount,
  teamAmount: row.team_amount,
  budgetAmount: row.budget_amount,
  at: row.created_at,
  lasting: true,
})

export const rowOfHold = (hold: NewHold): LastingRow => ({
  id: hold.id,
  user_id: hold.userId,
  token_id: hold.tokenId,
  team_id: hold.teamId,
  member_id: hold.memberId,
  amount: hold.amount,
  token_amount: hold.tokenAmount,
  team_amount: hold.teamAmount,
  budget_amount: hold.budgetAmount,
  created_at: hold.at,
})
