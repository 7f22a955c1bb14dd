import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { OauthStatesTable } from '#server/db/tables.ts'

export const saveState = (db: Db, state: Insertable<OauthStatesTable>) =>
  db.insertInto('oauth_states').values(state).execute()

/** Takes a state out of the store: whoever gets it is the only one who ever will. */
export const takeState = (db: Db, stateHash: string): Promise<Selectable<OauthStatesTable> | undefined> =>
  db.deleteFrom('oauth_states').where('state_hash', '=', stateHash).returningAll().executeTakeFirst()
