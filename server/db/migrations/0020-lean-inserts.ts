import { sql } from 'kysely'
import type { Engine, Tx } from '#server/db/database.ts'

export const name = '0020-lean-inserts'

/** The trigger looked up, for every row, a number that only counts after the log was cleared. From then on it knows it. */
export async function up(tx: Tx, engine: Engine): Promise<void> {
  if (engine !== 'sqlite') return
  await sql`drop trigger logs_number`.execute(tx)
  const { rows } = await sql<{ floor: number }>`
    select cast(value as integer) as floor from meta where key = 'log-floor'
      and cast(value as integer) > (select coalesce(max(id), 0) from logs)`.execute(tx)
  const floor = rows[0]?.floor
  if (floor === undefined) return
  await sql`create trigger logs_number after insert on logs when new.id <= ${sql.lit(floor)}
    begin update logs set id = ${sql.lit(floor + 1)} where id = new.id; end`.execute(tx)
}
