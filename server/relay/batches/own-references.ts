import { epochSeconds } from '#server/context.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { Reference } from '#server/relay/state/reference.ts'
import { unknown } from '#server/relay/state/resolve-state.ts'
import { findState, type StateRow } from '#server/relay/state/state.store.ts'

/** Everything the lines of a batch refer to by id must belong to the user and be kept by the channel of the batch. */
export async function requireOwn(
  { ctx }: RelayContext,
  caller: Caller,
  references: readonly Reference[],
  keeper: Pick<StateRow, 'channel_id' | 'key_hash'>,
): Promise<StateRow[]> {
  const ids = references.map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = await findState(ctx.database.db, caller.userId, ids, epochSeconds(ctx))
  const known = new Set(rows.map(({ id }) => id))
  const missing = references.find(({ id }) => !known.has(id))
  if (missing) throw unknown(missing)
  if (rows.some((row) => row.channel_id !== keeper.channel_id || row.key_hash !== keeper.key_hash))
    throw refuse('stateApart')
  return rows
}
