import { sql } from 'kysely'
import type { AnyDatabase } from '#server/db/database.ts'

const names = {
  sqlite: sql<{ name: string }>`select name from sqlite_master where type = 'table' order by name`,
  postgres: sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
}

/** What differs between two databases that were made alike. */
const differs = (column: string): boolean => /_hash$|_time$|^value$|^at$|^created_at$/.test(column)

/** Every row of every table, without what chance and the clock have put in. */
export async function readTables({ db, engine }: AnyDatabase): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await names[engine].execute(db)
  const all: Record<string, unknown[]> = {}
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    all[name] = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !differs(column))))
  }
  return all
}
