import { epochSeconds } from '#server/context.ts'
import { offsetOf, pageFrom } from '#server/db/page.ts'
import type { UserCall } from '#server/http/call.ts'
import type { Session } from '#shared/api/sessions.ts'
import { AppError } from '#shared/errors.ts'
import type { Page, PageInput } from '#shared/pagination.ts'

/** Names a session to its owner; it opens nothing. */
const publicId = (hash: string): string => hash.slice(0, 16)

const live = ({ ctx, actor }: UserCall<unknown>) =>
  ctx.database.db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', actor.id)
    .where('expires_at', '>', epochSeconds(ctx))
    .orderBy('last_seen', 'desc')
    .orderBy('id_hash')
    .execute()

export async function sessionPage(call: UserCall<PageInput>): Promise<Page<Session>> {
  const rows = await live(call)
  const shown = rows.slice(offsetOf(call.input), offsetOf(call.input) + call.input.pagesize)
  const list = shown.map((row) => ({
    id: publicId(row.id_hash),
    device: row.device,
    address: row.address,
    last_seen: row.last_seen || row.created_at,
    current: row.id_hash === call.actor.sessionHash,
  }))
  return pageFrom(call.input, list, rows.length)
}

export async function removeSession(call: UserCall<{ id: string }>): Promise<void> {
  const row = (await live(call)).find(({ id_hash }) => publicId(id_hash) === call.input.id)
  if (!row) throw new AppError('session.not_found')
  await call.ctx.database.db.deleteFrom('sessions').where('id_hash', '=', row.id_hash).execute()
}

/** Called with an access token there is no session to keep: all end. */
export async function removeOtherSessions({ ctx, actor }: UserCall<unknown>): Promise<number> {
  const removed = await ctx.database.db
    .deleteFrom('sessions')
    .where('user_id', '=', actor.id)
    .where('id_hash', '!=', actor.sessionHash ?? '')
    .executeTakeFirst()
  return Number(removed.numDeletedRows)
}
