import { reconcile as prove } from '#server/billing/ledger/reconcile.ts'
import type { Command } from './command.ts'
import { requireDatabase } from './require-database.ts'
import { withDatabase } from './with-database.ts'

export const reconcile: Command = {
  summary: 'Prove that every balance is the sum of its ledger entries less its open holds',
  async run(config) {
    requireDatabase(config)
    return withDatabase(config.DATABASE_URL, async ({ db }) => {
      const drifts = await prove(db)
      for (const { kind, id, balance, proven } of drifts) {
        console.log(`${kind} ${id}: balance ${balance}, proven ${proven}, drift ${balance - proven}`)
      }
      console.log(`drift ${drifts.reduce((sum, { balance, proven }) => sum + Math.abs(balance - proven), 0)}`)
      return drifts.length === 0 ? 0 : 1
    })
  },
}
