import { type Context, epochSeconds } from '#server/context.ts'
import { arrayOf, objectOf, textOf } from '#server/lib/json.ts'
import { requireLimits } from '#server/relay/limits/require-limits.ts'
import { requirePurse } from '#server/relay/metering/purse.ts'
import { RelayFault, refusal, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type Ask, type JsonBody, writtenFields } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { isBareReasoning } from '#server/relay/request/item-references.ts'
import { type Expanded, expanded } from './expand.ts'
import { isOwn, responseOfInput } from './own-response.ts'
import { insteadOf, type Reference } from './reference.ts'
import { mayRefer, referencesIn } from './referred-ids.ts'
import { findHeads, findState, type StateHead } from './state.store.ts'
import { withVendorAddresses } from './vendor-addresses.ts'

/** The channel and key that must answer because they keep what the request refers to. */
export interface Holder {
  readonly channelId: number
  readonly keyHash: string
  /** Other channels may answer where it cannot: the references stand in earlier answers only. */
  readonly isPast?: true
}

/** A request with what it refers to looked up. */
export interface Resolved {
  readonly ask: Ask
  /** Null when any channel may answer. */
  readonly holder: Holder | null
}

/** The refusal for a reference that is not the caller's. */
export function unknown({ kind, id, param, what }: Reference): RelayFault {
  if (what) return refuse('stateForeign', { param, id: id.slice(0, 100), what: `${what}s`, instead: insteadOf(what) })
  const fault = refusal('stateUnknown', { param, id })
  return new RelayFault(kind === 'thread' ? { ...fault, details: { error_code: 'thread_not_found' } } : fault)
}

/** Checks that everything a request refers to belongs to its user, and inserts what the relay itself keeps. */
export function resolveState(
  context: RelayContext,
  caller: Caller,
  ask: Ask,
  inbound: InboundRequest,
): Resolved | Promise<Resolved> {
  const { payload, entrance } = ask
  if (payload.kind !== 'json') return { ask, holder: null }
  if (entrance.door.dialect.id !== 'openai-responses' && !mayRefer(payload.text)) return { ask, holder: null }
  const requireFunds = async () => {
    // A long body was counted before it was read.
    if (!inbound.place.earlyHold) await requireLimits(context, inbound, caller)
    await requirePurse(context, caller)
  }
  return lookedUp(context, { caller, requireFunds }, { ...ask, payload }, inbound.id)
}

/** Whose things a request may refer to. */
interface Payer {
  readonly caller: Caller
  /** Refuses him without money, or beyond his limits; asked before many things or long ones are read. */
  requireFunds(): Promise<void>
}

async function lookedUp(
  context: RelayContext,
  payer: Payer,
  ask: Ask & { readonly payload: Extract<Ask['payload'], { kind: 'json' }> },
  requestId: string,
): Promise<Resolved> {
  const { payload } = ask
  const { body } = payload
  const { id: dialect } = ask.entrance.door.dialect
  const { rows, body: changed, holder, foreign } = await resolveBody(context, payer, dialect, payload)
  const strange = foreign ? { foreign } : {}
  if (rows.length === 0 && dialect !== 'openai-responses')
    return { ask: foreign ? { ...ask, ...strange } : ask, holder: null }
  const talk = rows.find((row) => row.kind === 'conversation' && isOwn(row))
  const keeps =
    dialect === 'openai-responses' && body.store !== false && context.ctx.options().ResponseRetentionDays > 0
  const keeping = {
    answerId: `resp_${requestId}`,
    input: body.input,
    previous: textOf(body.previous_response_id) ?? '',
    talkId: talk?.id ?? '',
  }
  const rewritten = () => ({ ...payload, body: changed, text: JSON.stringify(writtenFields(ask.entrance, changed)) })
  return {
    ask: {
      ...ask,
      ...(changed === body ? {} : { payload: rewritten() }),
      ...(keeps ? { keeping } : {}),
      ...strange,
    },
    holder,
  }
}

interface ResolvedBody {
  readonly body: JsonBody
  readonly rows: readonly StateHead[]
  readonly holder: Holder | null
  /** The refusal for channels of the client's own dialect, if the body names something of nobody here. */
  readonly foreign: RelayFault | null
}

/** The body with all references resolved, and the channel that must answer it. */
export async function resolveBody(
  context: RelayContext,
  payer: Payer,
  dialect: string,
  payload: Payload,
): Promise<ResolvedBody> {
  const { rows, foreign, isPast } = await lookUp(context, payer, dialect, payload)
  if (rows.length === 0 && dialect !== 'openai-responses') return { body: payload.body, rows, holder: null, foreign }
  const known = new Map(rows.map((row) => [row.id, row]))
  const { body, held } =
    dialect === 'openai-responses'
      ? await replaced(context, payer, payload.body, known)
      : { body: await addressed(context, payer.caller, payload.body, rows), held: [] }
  const needed = rows.filter((row) => !isPast.has(row.id))
  const holder = holderOf([...needed, ...held]) ?? pastHolder(rows)
  return { body, rows, holder, foreign }
}

interface Payload {
  readonly text: string
  readonly body: JsonBody
}

/** The rows of everything a body refers to; throws when one is not the caller's. */
export async function rowsFor(
  context: RelayContext,
  caller: Caller,
  dialect: string,
  payload: Payload,
): Promise<StateHead[]> {
  const requireFunds = async () => {
    await requirePurse(context, caller)
  }
  const { rows, foreign } = await lookUp(context, { caller, requireFunds }, dialect, payload)
  if (foreign) throw foreign
  return rows
}

interface LookedUp {
  readonly rows: StateHead[]
  readonly foreign: RelayFault | null
  /** Ids that stand in earlier answers only. */
  readonly isPast: ReadonlySet<string>
}

/** The most different ids of a request; no honest one has as many. */
const idsMost = 500
/** Looked up for a caller whose money nobody has looked at yet. */
const fewIds = 20

async function lookUp(
  context: RelayContext,
  { caller, requireFunds }: Payer,
  dialect: string,
  { text, body }: Payload,
): Promise<LookedUp> {
  const { ctx } = context
  const references = referencesIn(dialect, text, body)
  const bare = dialect === 'openai-responses' ? bareReasoning(body) : []
  if (references.length + bare.length === 0) return { rows: [], foreign: null, isPast: new Set() }
  const ids = [...new Set([...references.map(({ id }) => id), ...bare])]
  if (ids.length > idsMost) throw refuse('tooManyIds', { most: idsMost })
  if (ids.length > fewIds) await requireFunds()
  const rows = await stateOf(ctx, caller, ids)
  const known = new Set(rows.map(({ id }) => id))
  const missing = references.filter(({ id }) => !known.has(id))
  const refused = missing.find(({ what, isPast }) => !what && !isPast)
  if (refused) throw unknown(refused)
  const [strange] = missing
  const needed = new Set(references.flatMap(({ id, isPast }) => (isPast ? [] : [id])))
  const isPast = new Set(references.flatMap(({ id }) => (needed.has(id) ? [] : [id])))
  return { rows, foreign: strange ? unknown(strange) : null, isPast }
}

/** The rows of these ids. An item of an input has none of its own: its id names the response that keeps it. */
async function stateOf(ctx: Context, caller: Caller, ids: readonly string[]): Promise<StateHead[]> {
  const parents = ids.flatMap((id) => responseOfInput(id) ?? [])
  const rows = await findHeads(ctx.database.db, caller.userId, [...ids, ...parents], epochSeconds(ctx))
  const known = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id): StateHead[] => {
    const row = known.get(id)
    const parent = row ? undefined : known.get(responseOfInput(id) ?? '')
    if (!parent || !isOwn(parent)) return row ? [row] : []
    return [{ ...parent, id, kind: 'item', parent: parent.id, size: 0 }]
  })
}

const bareReasoning = ({ input }: JsonBody): string[] =>
  arrayOf(input).flatMap((entry) => {
    const item = objectOf(entry)
    return item && isBareReasoning(item) ? [textOf(item.id) ?? ''] : []
  })

/** Leaves out reasoning whose id is unknown here, and inserts what the relay keeps. */
function replaced(
  { ctx }: RelayContext,
  { requireFunds }: Payer,
  body: JsonBody,
  known: ReadonlyMap<string, StateHead>,
): Expanded | Promise<Expanded> {
  const kept = arrayOf(body.input).filter((entry) => {
    const item = objectOf(entry)
    return !item || !isBareReasoning(item) || known.has(textOf(item.id) ?? '')
  })
  const cleaned =
    Array.isArray(body.input) && kept.length !== body.input.length
      ? { ...body, input: kept as JsonBody['input'] }
      : body
  const hasOwn = [...known.values()].some((row) => row.channel_id === 0)
  if (!hasOwn) return { body: cleaned, held: [] }
  return expanded(ctx, cleaned, { rows: known, now: epochSeconds(ctx), requireFunds })
}

/** With the addresses that Google knows its files by. */
async function addressed(
  { ctx }: RelayContext,
  caller: Caller,
  body: JsonBody,
  rows: readonly StateHead[],
): Promise<JsonBody> {
  const files = rows.flatMap(({ kind, id }) => (kind === 'gemini-file' ? [id] : []))
  if (files.length === 0) return body
  return withVendorAddresses(ctx, body, await findState(ctx.database.db, caller.userId, files, epochSeconds(ctx)))
}

/** The one channel that keeps all these rows; refuses when there are several. */
export function holderOf(rows: readonly Pick<StateHead, 'channel_id' | 'key_hash'>[]): Holder | null {
  const held = rows.filter((row) => row.channel_id !== 0)
  const [first] = held
  if (!first) return null
  if (held.some((row) => row.channel_id !== first.channel_id || row.key_hash !== first.key_hash))
    throw refuse('stateApart')
  return { channelId: first.channel_id, keyHash: first.key_hash }
}

/** The channel of earlier answers, if all came from the same one. */
function pastHolder(rows: readonly StateHead[]): Holder | null {
  const [first, ...others] = rows.filter((row) => row.channel_id !== 0)
  const isOne = first && others.every((row) => row.channel_id === first.channel_id && row.key_hash === first.key_hash)
  return isOne ? { channelId: first.channel_id, keyHash: first.key_hash, isPast: true } : null
}
