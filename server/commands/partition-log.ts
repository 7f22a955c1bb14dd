import { addComingDays } from '#server/db/logs/days/coming-days.ts'
import { turnLog } from '#server/db/logs/days/turn-log.ts'
import { Refusal } from '#server/process/refusal.ts'
import type { Command } from './command.ts'
import { requireDatabase } from './require-database.ts'
import { withDatabase } from './with-database.ts'

export const partitionLog: Command = {
  summary: 'Keep the log of PostgreSQL by day, where it is older than that',
  help: [
    'New databases keep the log in a partition a day, so that a day past LogRetentionDays goes at once. A log that had rows before',
    'stays one table until this command turns it. Nodes go on serving; at the end they wait for a moment. The rows of before stay in',
    'one partition and go in small steps as ever. Doing it again changes nothing.',
  ].join('\n'),
  async run(config) {
    requireDatabase(config)
    return withDatabase(config.DATABASE_URL, async (database) => {
      if (database.engine === 'sqlite') throw new Refusal('The data is in SQLite, which has no partitions.')
      const turned = await turnLog(database.db)
      await addComingDays(database)
      console.log(turned ? 'The log is kept by day from now on.' : 'The log is kept by day already.')
      return 0
    })
  },
}
