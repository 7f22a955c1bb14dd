import type { Db } from '#server/db/database.ts'
import type { Log } from '#shared/api/logs.ts'
import { fieldNames } from '#shared/field-names.ts'
import { eventText, logEvents, StoredEvent } from '#shared/log-events.ts'
import type { Page } from '#shared/pagination.ts'

const eventOf = ({ detail: { event } }: Log): StoredEvent | undefined =>
  event === undefined ? undefined : StoredEvent.safeParse(event).data

const people = ({ values }: StoredEvent): number[] =>
  Object.values(values).flatMap((value) => (typeof value === 'object' && 'user' in value ? value.user : []))

function withNames({ code, values }: StoredEvent, names: ReadonlyMap<number, string>): StoredEvent {
  const named = Object.entries(values).map(([name, value]) =>
    typeof value === 'object' && 'user' in value ? [name, { ...value, name: names.get(value.user) }] : [name, value],
  )
  return { code, values: Object.fromEntries(named) }
}

/**
 * Rows about what administrators did, with their names. An event is stored with the number alone: a name that changes is shown as
 * it is now, and one that is deleted is gone from here too.
 */
export async function withActorNames<Of extends Page<Log>>(db: Db, page: Of): Promise<Of> {
  const events = page.list.map(eventOf)
  const ids = [...new Set(events.flatMap((event) => (event ? people(event) : [])))]
  if (ids.length === 0) return page
  const users = await db.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
  const names = new Map(users.map(({ id, username }) => [id, username]))
  const list = page.list.map((row, at) => {
    const event = events[at] && withNames(events[at], names)
    if (!event) return row
    return { ...row, content: eventText(logEvents, event, fieldNames) ?? row.content, detail: { ...row.detail, event } }
  })
  return { ...page, list }
}
