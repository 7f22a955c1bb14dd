import { hasBudgetsAhead } from '#server/billing/ledger/budgets/budget-sums.ts'
import { type Context, epochSeconds } from '#server/context.ts'
import type { Job } from './job.ts'

/** Clocks of machines differ by less. */
const clockSlack = 60

export async function warnOfClock(ctx: Context): Promise<void> {
  if (!(await hasBudgetsAhead(ctx.database.db, epochSeconds(ctx) + clockSlack))) return
  ctx.log.warn(
    'budgets count in a period that has not begun: the clock is behind, or was ahead; if it is right now, switchyard return-budgets brings them back',
  )
}

export const warnOfClockJob: Job = { name: 'warn-of-clock', everyMs: 3_600_000, leader: true, run: warnOfClock }
