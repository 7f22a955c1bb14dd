import { Database as Sqlite } from 'bun:sqlite'
import { sql } from 'kysely'
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { copyTables } from '#server/db/copy-tables.ts'
import type { AnyDatabase } from '#server/db/database.ts'
import { claimSqliteFile } from '#server/nodes/sole-owner.ts'
import { Refusal } from '#server/process/refusal.ts'
import { readArguments } from './arguments.ts'
import { sqliteFile } from './backup-folder.ts'
import { type Command, UsageError } from './command.ts'
import { requireDatabase } from './require-database.ts'
import { withDatabase } from './with-database.ts'

export const move: Command = {
  summary: 'Copy everything from the SQLite database into an empty PostgreSQL database',
  usage: '<postgres://…>',
  help: [
    'Stop the server first. The SQLite file is only read, but for being brought up to date; the copy is made in one',
    'transaction, all of it or nothing, and every balance is proven against the ledger afterwards. Then set DATABASE_URL',
    'to the same address and start the server again, with the same secret key: nobody has to log in anew.',
  ].join('\n'),
  async run(config, args) {
    const address = readArguments(args, 'address of the PostgreSQL database').first
    if (!/^postgres(ql)?:\/\//.test(address)) throw new UsageError('The address must begin with postgres://')
    const file = sqliteFile(config)
    if (file === null) {
      throw new Refusal('The data is in PostgreSQL already; pg_dump and pg_restore take it to another server.')
    }
    requireDatabase(config)
    const disown = claimSqliteFile(config, 'Stop it first: what comes after the copy would be lost.')
    try {
      // Both sides must have the same tables before one is read.
      await withDatabase(config.DATABASE_URL, async () => {})
      return await withDatabase(address, (target) => copyInto(target, file))
    } finally {
      disown()
    }
  },
}

async function copyInto({ db }: AnyDatabase, file: string): Promise<number> {
  const source = new Sqlite(file, { readonly: true })
  try {
    const counts = await db.transaction().execute(async (tx) => {
      const someone = await tx.selectFrom('users').select('id').limit(1).executeTakeFirst()
      if (someone) throw new Refusal('The PostgreSQL database has accounts already. Move into an empty one.')
      return copyTables(source, tx)
    })
    await sql`analyze`.execute(db)
    const drifts = await reconcile(db)
    for (const [table, rows] of counts) if (rows > 0) console.log(`${table}: ${rows}`)
    console.log(`Moved; ${drifts.length} balances drift from the ledger.`)
    if (drifts.length > 0) throw new Refusal('They did before: `switchyard reconcile` names them.')
    console.log('Set DATABASE_URL to this database, keep the secret key, and start the server.')
    return 0
  } finally {
    source.close()
  }
}
