import { epochSeconds } from '#server/context.ts'
import type { JsonObject } from '#server/lib/json.ts'
import { workTurn } from '#server/lib/turns/work-turns.ts'
import { providerOf } from '#server/providers/index.ts'
import type { StoredKind } from '#server/providers/provider.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { withHeldKey } from '#server/relay/state/keep-to-holder.ts'
import { type Holder, holderOf } from '#server/relay/state/resolve-state.ts'
import { findHeads, findState, type StateKind, type StateRow } from '#server/relay/state/state.store.ts'
import { storedCall } from '#server/relay/upstream/stored-call.ts'
import { askVendor, briefly } from '#server/relay/upstream/vendor-call.ts'
import { VendorRefusal } from '#server/relay/upstream/vendor-refusal.ts'
import { channelStatus } from '#shared/statuses.ts'

/** The kind without its vendor's prefix, for messages. */
const wordOf = (kind: StateKind): string => kind.replace(/^(anthropic|gemini)-/, '')

/** What is longer is opened in a turn of its own, however many are asked for at once. */
const longBytes = 256 * 1024

/** The user's own row under an id; refuses unknown ids and other users' ids alike. */
export async function mine({ ctx }: RelayContext, caller: Caller, kind: StateKind, id: string): Promise<StateRow> {
  if (kind === 'response') {
    const [head] = await findHeads(ctx.database.db, caller.userId, [id], epochSeconds(ctx))
    if (head && head.size > longBytes) await workTurn()
  }
  const [row] = await findState(ctx.database.db, caller.userId, [id], epochSeconds(ctx))
  if (!row || row.kind !== kind) throw refuse('stateUnknown', { param: wordOf(kind), id })
  return row
}

/** The one who keeps all these things of the user's, which are looked up at once; null where there are none. */
export async function holderOfAll(
  { ctx }: RelayContext,
  caller: Caller,
  kind: StateKind,
  ids: ReadonlySet<string>,
): Promise<Holder | null> {
  const rows = await findState(ctx.database.db, caller.userId, [...ids], epochSeconds(ctx))
  const known = new Set(rows.flatMap((row) => (row.kind === kind ? [row.id] : [])))
  for (const id of ids) if (!known.has(id)) throw refuse('stateUnknown', { param: wordOf(kind), id })
  return holderOf(rows)
}

/** The channel that keeps it, if it is still there and has the key. */
export async function keeperOf({ ctx, routing }: RelayContext, row: StateRow): Promise<RoutedChannel> {
  const channel = (await routing.table()).channels.get(row.channel_id)
  const held = channel?.status === channelStatus.enabled ? withHeldKey(ctx, channel, row.key_hash) : undefined
  if (!held) throw refuse('stateGone')
  return held
}

interface Question {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the version, with its query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks the vendor that keeps something; costs nothing. */
export async function askKeeper(
  context: RelayContext,
  inbound: InboundRequest,
  row: StateRow,
  question: Question,
): Promise<JsonObject> {
  return askStore(context, inbound, await keeperOf(context, row), question)
}

export async function askStore(
  context: RelayContext,
  inbound: InboundRequest,
  channel: RoutedChannel,
  question: Question,
): Promise<JsonObject> {
  return askChannel(context, channel, question, briefly(inbound.http.signal))
}

/** The same without a client that could leave. */
export async function askChannel(
  context: RelayContext,
  channel: RoutedChannel,
  { method, path, body, headers }: Question,
  gone: AbortSignal,
): Promise<JsonObject> {
  const call = storedCall(channel, path, headers)
  const answer = await askVendor(context, channel, { method, call, body }, gone)
  if (!answer.ok) throw new VendorRefusal(answer.fault)
  return answer.body
}

/** Channels within the caller's reach whose vendor keeps such things. */
async function storesFor(
  { routing }: RelayContext,
  { pinnedChannelId: pin, groups }: Caller,
  kind: StoredKind,
): Promise<RoutedChannel[]> {
  const table = await routing.table()
  return [...table.channels.values()].filter(
    (channel) =>
      channel.status === channelStatus.enabled &&
      providerOf(channel.type).stored?.kinds.has(kind) === true &&
      (pin === null ? channel.groups.some((group) => groups.includes(group)) : channel.id === pin),
  )
}

/** One of them that carries all these models; undefined when there is none. */
export async function storeFor(
  context: RelayContext,
  caller: Caller,
  kind: StoredKind,
  models: readonly string[] = [],
): Promise<RoutedChannel | undefined> {
  const { ctx, breaker } = context
  const stores = await storesFor(context, caller, kind)
  const reachable = stores.filter((channel) => models.every((model) => channel.models.has(model)))
  const awake = reachable.filter(({ id }) => !breaker.resting(id, ctx.clock()))
  const pool = awake.length > 0 ? awake : reachable
  return pool.toSorted((one, other) => other.priority - one.priority)[0]
}

/** A store that carries every model the caller may use, because the model of a conversation is not known yet. */
export async function storeForAll(
  context: RelayContext,
  caller: Caller,
  kind: StoredKind,
): Promise<RoutedChannel | undefined> {
  const carried = new Set((await storesFor(context, caller, kind)).flatMap(({ models }) => [...models]))
  const models = [...carried].filter((model) => caller.models?.has(model) ?? true)
  return storeFor(context, caller, kind, models)
}
