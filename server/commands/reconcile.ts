import { reconcile as prove } from '#server/billing/reconcile.ts'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import type { Command } from './command.ts'

export const reconcile: Command = {
  summary: 'Prove that every balance is the sum of its ledger entries less its open holds',
  async run(config) {
    const database = openDatabase(config.DATABASE_URL)
    try {
      await migrate(database)
      const drifts = await prove(database.db)
      for (const { kind, id, balance, proven } of drifts) {
        console.log(`${kind} ${id}: balance ${balance}, proven ${proven}, drift ${balance - proven}`)
      }
      console.log(`drift ${drifts.reduce((sum, { balance, proven }) => sum + Math.abs(balance - proven), 0)}`)
      return drifts.length === 0 ? 0 : 1
    } finally {
      await database.close()
    }
  },
}
