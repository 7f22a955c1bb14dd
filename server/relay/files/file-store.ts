import { epochSeconds } from '#server/context.ts'
import { type JsonObject, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import type { StoredKind } from '#server/providers/provider.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { stateRow } from '#server/relay/state/keep-answer.ts'
import { type ListedKind, listedState } from '#server/relay/state/listed-state.ts'
import { keepState, type StateKind, type StateRow } from '#server/relay/state/state.store.ts'
import { storeFor } from '#server/relay/stored/held-by-vendor.ts'
import type { Listing } from '#server/relay/stored/pages.ts'

/** How long files are remembered whose vendor keeps them until they are deleted. */
export const fileDays = 3650
/** Google forgets files after two days. */
export const geminiFileDays = 3

/** The channel that keeps what this caller makes there, one that carries all these models if there is one, with the key of its pool whose turn it is. */
export async function keeperFor(
  context: RelayContext,
  caller: Caller,
  kind: StoredKind,
  models: readonly string[] = [],
): Promise<RoutedChannel> {
  const { ctx, keys } = context
  const channel = (await storeFor(context, caller, kind, models)) ?? (await storeFor(context, caller, kind))
  if (!channel) throw refuse('noKeeper', { what: kind })
  return { ...channel, key: keys.next(channel, new Set(), ctx.clock()) ?? channel.key }
}

interface Keeping {
  readonly kind: StateKind
  readonly thing: JsonObject
  readonly days: number
  /** Now, unless said. */
  readonly madeAt?: number
}

/** Remembers the owner of a thing, the channel that keeps it, and the vendor's last description of it. */
export async function keepThing(
  { ctx }: Pick<RelayContext, 'ctx'>,
  of: { readonly userId: number; readonly channelId: number; readonly keyHash: string },
  { kind, thing, days, madeAt = epochSeconds(ctx) }: Keeping,
): Promise<void> {
  const id = textOf(thing.id) ?? textOf(thing.name)
  if (!id) return
  const held = { channel_id: of.channelId, key_hash: of.keyHash, body_sealed: ctx.secrets.seal(JSON.stringify(thing)) }
  await keepState(ctx.database.db, [stateRow({ userId: of.userId, kind, id, now: madeAt, days }, held)])
}

export const heldIn = ({ ctx }: Pick<RelayContext, 'ctx'>, userId: number, channel: RoutedChannel) => ({
  userId,
  channelId: channel.id,
  keyHash: ctx.secrets.hash(channel.key),
})

/** Who keeps what something stands for whose row this is, or was begun as this work. */
export const keptBy = (row: Pick<StateRow, 'user_id' | 'channel_id' | 'key_hash'>) => ({
  userId: row.user_id,
  channelId: row.channel_id,
  keyHash: row.key_hash,
})

/** The vendor's last description of it. */
export const thingOf = ({ ctx }: Pick<RelayContext, 'ctx'>, row: StateRow): JsonObject =>
  objectOf(parseJson(ctx.secrets.open(row.body_sealed))) ?? { id: row.id }

/** The caller's things of a kind as they are shown, from a place in the list on; `null` leaves one out. */
export const ownThings = (
  context: RelayContext,
  { userId }: Caller,
  kind: ListedKind,
  shown: (thing: JsonObject) => JsonObject | null = (thing) => thing,
): Listing =>
  async function* things(place) {
    for await (const row of listedState(context, { userId, kind }, place)) {
      const thing = shown(thingOf(context, row))
      if (thing) yield thing
    }
  }
