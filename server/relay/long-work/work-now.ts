import type { JsonObject } from '#server/lib/json.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { StateRow } from '#server/relay/state/state.store.ts'
import { askKeeper } from '#server/relay/stored/held-by-vendor.ts'
import { findWork } from './long-work.store.ts'
import { look } from './look.ts'
import { openWork, type WorkKind } from './work.ts'

/** What its vendor says now of work of a user's. What has ended is paid before it is shown. */
export async function workNow(
  context: RelayContext,
  inbound: InboundRequest,
  kind: WorkKind,
  row: StateRow,
): Promise<JsonObject> {
  const { ctx } = context
  const work = await findWork(ctx.database.db, row.user_id, row.id)
  if (work) return look(context, kind, openWork(ctx, work))
  return askKeeper(context, inbound, row, { method: 'GET', path: kind.path(row.id) })
}
