import type { Db } from '#server/db/database.ts'
import type { Log } from '#shared/api/logs.ts'
import type { Page } from '#shared/pagination.ts'
import { logType } from '#shared/statuses.ts'

const actor = /^administrator #(\d+)/

const actorOf = ({ type, content }: Log): number => (type === logType.admin ? Number(actor.exec(content)?.[1] ?? 0) : 0)

/**
 * Rows about what administrators did, with their names. The text is stored with the number alone: a name that changes is shown as
 * it is now, and one that is deleted is gone from here too.
 */
export async function withActorNames(db: Db, page: Page<Log>): Promise<Page<Log>> {
  const ids = [...new Set(page.list.map(actorOf).filter((id) => id > 0))]
  if (ids.length === 0) return page
  const users = await db.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
  const names = new Map(users.map(({ id, username }) => [id, username]))
  const list = page.list.map((row) => {
    const name = names.get(actorOf(row))
    return name === undefined ? row : { ...row, content: row.content.replace(actor, `administrator ${name} (#$1)`) }
  })
  return { ...page, list }
}
