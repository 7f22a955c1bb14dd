import { sql } from 'kysely'
import type { Engine, Tx } from '#server/db/database.ts'
import { dayAhead, partitionLog } from '#server/db/logs/days/partition-log.ts'
import { fillShortTables } from '#server/db/usage/fill.ts'

export const name = '0013-days'

export async function up(tx: Tx, engine: Engine): Promise<void> {
  await shortTables(tx, engine)
  await fillShortTables(tx)
  if (engine === 'postgres') await logByDay(tx)
}

const keyTypes = {
  user_id: 'bigint not null',
  token_id: 'bigint not null',
  token_name: 'text not null',
  team_id: 'bigint not null',
  group: 'text not null',
  model_name: 'text not null',
  channel: 'bigint not null',
} as const
type Key = keyof typeof keyTypes

const sums = [
  'requests',
  'failed',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'quota',
  'cost',
  'cost_unknown',
]

const quoted = (names: readonly string[]) => names.map((each) => `"${each}"`).join(', ')

/** Roll-ups that keep little apart. `usage_people` takes the place of `usage_tokens`, which stays for nodes of before. */
async function shortTables(tx: Tx, engine: Engine): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(tx)
  const table = (title: string, keys: readonly Key[]) => {
    const columns = [
      'span bigint not null',
      'slot bigint not null',
      ...keys.map((key) => `"${key}" ${keyTypes[key]}`),
      ...sums.map((sum) => `${sum} bigint not null default 0`),
      "first_byte text not null default ''",
      "duration text not null default ''",
      `constraint ${title}_key primary key (${quoted(['span', 'slot', ...keys])})`,
    ]
    const end = engine === 'sqlite' ? 'without rowid' : 'with (fillfactor = 70)'
    return run(`create table ${title} (${columns.join(', ')}) ${end}`)
  }
  await table('usage_totals', [])
  await table('usage_groups', ['group'])
  await table('usage_teams', ['team_id'])
  await table('usage_channels', ['channel'])
  await table('usage_models', ['model_name'])
  await table('usage_people', ['user_id', 'token_id', 'token_name', 'team_id', 'group'])
  await run('create index usage_people_user_id_span_slot on usage_people (user_id, span, slot)')
  await run('create index usage_people_token_id_span_slot on usage_people (token_id, span, slot)')
  await run('create index usage_details_token_name_days on usage_details (token_name, slot) where span = 86400')
  // Who used a model or a channel over months is read from the index alone.
  for (const key of ['model_name', 'channel']) {
    const people = ['user_id', 'token_id', 'team_id', ...(key === 'channel' ? [] : ['channel'])]
    const read =
      engine === 'sqlite' ? `, ${quoted([...people, ...sums])})` : `) include (${quoted([...people, ...sums])})`
    await run(`create index usage_details_${key}_days on usage_details (${key}, slot${read} where span = 86400`)
  }
}

/** A log that holds rows already is left as it is: `switchyard partition-log` turns it while the relay serves. */
async function logByDay(tx: Tx): Promise<void> {
  const { rows } = await sql`select 1 from logs limit 1`.execute(tx)
  if (rows.length === 0) await partitionLog(tx, await dayAhead(tx, 0))
}
