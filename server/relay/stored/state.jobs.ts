import { type Context, epochSeconds } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import type { Job } from '#server/jobs/job.ts'
import { isNodeGone } from '#server/jobs/keep-lease.ts'
import { dropItems } from '#server/relay/state/kept-items.store.ts'
import { openResponse, openUnpaid } from '#server/relay/state/own-response.ts'
import { abandonState, type StateRow, underWay } from '#server/relay/state/state.store.ts'
import { endResponse, failedResponse } from './background.ts'

const mostAtOnce = 500

/**
 * Ends background responses of dead nodes. One that was made and paid is done; the others have failed, and their holds were given
 * back.
 */
export async function endAbandoned(ctx: Context): Promise<number> {
  const { db } = ctx.database
  const rows = await db
    .selectFrom('relay_state')
    .leftJoin('nodes', 'nodes.id', 'relay_state.node')
    .selectAll('relay_state')
    .where('relay_state.status', 'in', underWay)
    .where('relay_state.node', '!=', ctx.nodeId)
    .where(isNodeGone(db, 'relay_state'))
    .limit(mostAtOnce)
    .execute()
  const message = 'The server ended before the response was done. Nothing was charged: ask again.'
  for (const row of rows as StateRow[]) {
    const { asked: _, holdId, ...made } = openUnpaid(ctx.secrets, row)
    if (row.status === 'settling' && (await isPaid(db, holdId))) {
      await endResponse(ctx, { ...row, status: '' }, made.response)
      continue
    }
    const own = openResponse(ctx.secrets, row)
    const response = failedResponse(own.response, { code: 'server_error', message })
    const body_sealed = ctx.secrets.seal(JSON.stringify({ ...own, response }))
    await abandonState(db, row, body_sealed)
  }
  return rows.length
}

/** What is charged has an entry of this name. */
async function isPaid(db: Db, holdId: string): Promise<boolean> {
  const entry = db.selectFrom('ledger_entries').select('id').where('ref', '=', holdId)
  return (await entry.executeTakeFirst()) !== undefined
}

export const endAbandonedJob: Job = {
  name: 'end-abandoned-responses',
  everyMs: 20_000,
  async run(ctx) {
    await endAbandoned(ctx)
  },
}

/** The most rows that are kept; beyond that the oldest are removed. */
const rowsMax = 5_000_000

/** Ids that have expired, and the oldest when there are too many. */
export const forgetState: Job = {
  name: 'forget-state',
  everyMs: 10 * 60_000,
  leader: true,
  async run(ctx) {
    const { db } = ctx.database
    const now = epochSeconds(ctx)
    const long = db
      .selectFrom('relay_state')
      .select(['user_id', 'id'])
      .where('expires_at', '<=', now)
      .where('items', '>', 0)
    for (const conversation of await long.execute()) await dropItems(db, conversation)
    await db.deleteFrom('relay_state').where('expires_at', '<=', now).execute()
    const surplus = await db
      .selectFrom('relay_state')
      .select('expires_at')
      .orderBy('expires_at', 'desc')
      .offset(rowsMax)
      .limit(1)
      .executeTakeFirst()
    if (surplus) await db.deleteFrom('relay_state').where('expires_at', '<=', surplus.expires_at).execute()
  },
}
