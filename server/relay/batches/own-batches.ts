import { type JsonObject, objectOf } from '#server/lib/json.ts'
import { findWork } from '#server/relay/long-work/long-work.store.ts'
import { look } from '#server/relay/long-work/look.ts'
import { openWork, type WorkKind } from '#server/relay/long-work/work.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { StateRow } from '#server/relay/state/state.store.ts'
import { askKeeper } from '#server/relay/stored/held-by-vendor.ts'

/** The current state of a batch at its vendor. An ended batch is paid before its results are shown. */
export async function batchNow(
  context: RelayContext,
  inbound: InboundRequest,
  kind: WorkKind,
  row: StateRow,
): Promise<JsonObject> {
  const { ctx } = context
  const work = await findWork(ctx.database.db, row.user_id, row.id)
  if (work) return look(context, kind, openWork(ctx, work))
  return objectOf(await askKeeper(context, inbound, row, { method: 'GET', path: kind.path(row.id) })) ?? {}
}
