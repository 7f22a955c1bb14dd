import { returnBudgets as bringBack, hasBudgetsAhead } from '#server/billing/ledger/budgets/budget-sums.ts'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { epochSeconds } from '#server/context.ts'
import { transact } from '#server/db/transact.ts'
import { calendarOf } from '#server/lib/time/calendar.ts'
import { claimSqliteFile } from '#server/nodes/sole-owner.ts'
import { createContext } from '#server/process/create-context.ts'
import { loadSecretKey } from '#server/process/secret-key.ts'
import type { Command } from './command.ts'
import { requireDatabase } from './require-database.ts'

/** Not done by the server itself: a clock that is behind now looks the same from within, and would empty every budget. */
export const returnBudgets: Command = {
  summary: 'Bring budgets back into the present period after a clock was ahead',
  help: [
    'A clock that is ahead moves budgets into a later period, where they stay when it is set right. First see that the clock',
    'is right now; of PostgreSQL, its own counts. With SQLite, stop the server. What was spent meanwhile counts in the present',
    'period; no balance changes, and every one is proven afterwards.',
  ].join('\n'),
  async run(config) {
    requireDatabase(config)
    const disown = claimSqliteFile(config, 'Stop it first: it has budgets in its memory.')
    const ctx = await createContext({ ...config, LOG_LEVEL: 'silent' }, await loadSecretKey(config))
    try {
      const at = epochSeconds(ctx)
      if (await hasBudgetsAhead(ctx.database.db, at)) {
        await transact(ctx, (tx) => bringBack(tx, calendarOf(ctx.options().TimeZone), at))
        console.log('All budgets count in the present period.')
      } else console.log('No budget counts in a later period; nothing was changed.')
      const drifts = await reconcile(ctx.database.db)
      console.log(`${drifts.length} balances drift from the ledger.`)
      return drifts.length === 0 ? 0 : 1
    } finally {
      await ctx.database.close()
      disown()
    }
  },
}
