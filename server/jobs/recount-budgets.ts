import { recountBudgetsLeft } from '#server/billing/ledger/budgets/recount-budgets.ts'
import type { Job } from './job.ts'

/** What a node that is gone has left to be counted. */
export const recountBudgetsJob: Job = {
  name: 'recount-budgets',
  everyMs: 10_000,
  leader: true,
  run: recountBudgetsLeft,
}
