import type { Command } from './command.ts'
import { withDatabase } from './with-database.ts'

export const migrate: Command = {
  summary: 'Bring the database schema up to date; serving does it too',
  run: (config) =>
    withDatabase(config.DATABASE_URL, async (_, applied) => {
      console.log(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`)
      return 0
    }),
}
