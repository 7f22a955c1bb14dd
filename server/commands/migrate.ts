import { openDatabase } from '#server/db/database.ts'
import { migrate as bringUpToDate } from '#server/db/migrate.ts'
import type { Command } from './command.ts'

export const migrate: Command = {
  summary: 'Bring the database schema up to date; serving does it too',
  async run(config) {
    const database = openDatabase(config.DATABASE_URL)
    try {
      const applied = await bringUpToDate(database)
      console.log(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`)
      return 0
    } finally {
      await database.close()
    }
  },
}
