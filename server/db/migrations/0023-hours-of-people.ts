import { sql } from 'kysely'
import type { Engine, Tx } from '#server/db/database.ts'
import { fillHoursOfPeople } from '#server/db/usage/fill.ts'
import { lockUsageMark } from '#server/db/usage/fold.ts'
import { people } from '#server/db/usage/shapes.ts'

export const name = '0023-hours-of-people'

/** Days of another time zone begin within the days that are kept of people: what lies between is read by hour, not by quarter hour. */
export async function up(tx: Tx, engine: Engine): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(tx)
  if (await hasPeople(tx)) {
    await lockUsageMark(tx)
    await fillHoursOfPeople(tx, { ...people, lacksAttempts: true })
  }
  await run('create index usage_people_team_id_span_slot on usage_people (team_id, span, slot) where team_id > 0')
  if (engine === 'postgres') await knowUsers(run)
}

/** A new database stays empty: what is moved into it brings its own mark. */
async function hasPeople(tx: Tx): Promise<boolean> {
  const { rows } = await sql`select 1 from usage_people limit 1`.execute(tx)
  return rows.length > 0
}

const read =
  'token_id, team_id, requests, failed, prompt_tokens, cached_tokens, completion_tokens, quota, cost, cost_unknown'

/** PostgreSQL passes over other users' rows in the index only by what the index is ordered by. */
async function knowUsers(run: (statement: string) => Promise<unknown>): Promise<void> {
  for (const [key, more] of [
    ['model_name', 'channel, '],
    ['channel', ''],
  ]) {
    await run(`drop index usage_details_${key}_days`)
    await run(`create index usage_details_${key}_days on usage_details (${key}, slot, user_id)
      include (${more}${read}) where span = 86400`)
  }
}
