import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'

export const name = '0019-logins'

/** Login names of GitHub are looked for without regard to capitals: at every first login with one, and for every account that moves in. */
export async function up(tx: Tx): Promise<void> {
  await sql`create index users_github_login_folded on users (lower(github_login)) where github_login <> ''`.execute(tx)
}
