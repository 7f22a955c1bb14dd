import { epochSeconds } from '#server/context.ts'
import { createPace } from '#server/lib/turns/work-turns.ts'
import type { StoredKind } from '#server/providers/provider.ts'
import { keeperFor } from '#server/relay/files/file-store.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { referencesIn } from '#server/relay/state/referred-ids.ts'
import { findState } from '#server/relay/state/state.store.ts'
import { keeperOf } from '#server/relay/stored/held-by-vendor.ts'
import type { BatchLine } from './quote.ts'

/** The channel for a batch: the one that keeps what its lines refer to, else one that carries all its models. */
export async function channelFor(
  context: RelayContext,
  caller: Caller,
  of: { readonly store: StoredKind; readonly lines: readonly BatchLine[]; readonly models: readonly string[] },
): Promise<RoutedChannel> {
  const { ctx } = context
  const pace = createPace()
  const ids = new Set<string>()
  for (const { entrance, text, body } of of.lines) {
    for (const { id } of referencesIn(entrance.door.dialect.id, text, body)) ids.add(id)
    if (pace.isDue()) await pace.giveWay()
  }
  const [kept] = await findState(ctx.database.db, caller.userId, [...ids], epochSeconds(ctx))
  return kept && kept.channel_id !== 0 ? keeperOf(context, kept) : keeperFor(context, caller, of.store, of.models)
}
