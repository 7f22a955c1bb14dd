import { epochSeconds } from '#server/context.ts'
import { arrayOf, objectOf, textOf } from '#server/lib/json.ts'
import { RelayFault, refusal, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Ask, JsonBody } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import { type Expanded, expanded } from './expand.ts'
import { isOwn } from './own-response.ts'
import { isBareReasoning, type Reference, referencesIn } from './referred-ids.ts'
import { findState, type StateRow } from './state.store.ts'
import { withVendorAddresses } from './vendor-addresses.ts'

/** The channel, and the key of its pool, that must answer because it keeps what the request speaks of. */
export interface Holder {
  readonly channelId: number
  readonly keyHash: string
}

/** A request with what it refers to looked up. */
export interface Resolved {
  readonly ask: Ask
  /** Null when any channel may answer. */
  readonly holder: Holder | null
}

function unknown({ kind, id, param }: Reference): RelayFault {
  const fault = refusal('stateUnknown', { param, id })
  return new RelayFault(kind === 'thread' ? { ...fault, details: { error_code: 'thread_not_found' } } : fault)
}

/** Everything a request refers to must be its user's; what the relay keeps itself is put in its place. */
export async function resolveState(
  context: RelayContext,
  caller: Caller,
  ask: Ask,
  requestId: string,
): Promise<Resolved> {
  const { payload } = ask
  if (payload.kind !== 'json') return { ask, holder: null }
  const { body } = payload
  const { id: dialect } = ask.entrance.door.dialect
  const { rows, body: changed, holder } = await resolveBody(context, caller, dialect, payload)
  if (rows.length === 0 && dialect !== 'openai-responses') return { ask, holder: null }
  const talk = rows.find((row) => row.kind === 'conversation' && isOwn(row))
  const keeps =
    dialect === 'openai-responses' && body.store !== false && context.ctx.options().ResponseRetentionDays > 0
  const keeping = {
    answerId: `resp_${requestId}`,
    input: body.input,
    previous: textOf(body.previous_response_id) ?? '',
    talkId: talk?.id ?? '',
  }
  return {
    ask: {
      ...ask,
      ...(changed === body ? {} : { payload: { ...payload, body: changed, text: JSON.stringify(changed) } }),
      ...(keeps ? { keeping } : {}),
    },
    holder,
  }
}

interface ResolvedBody {
  readonly body: JsonBody
  readonly rows: readonly StateRow[]
  readonly holder: Holder | null
}

/** A body in which nothing is left that only the relay knows, and who must answer it. */
export async function resolveBody(
  context: RelayContext,
  caller: Caller,
  dialect: string,
  payload: { readonly text: string; readonly body: JsonBody },
): Promise<ResolvedBody> {
  const rows = await rowsFor(context, caller, dialect, payload)
  if (rows.length === 0 && dialect !== 'openai-responses') return { body: payload.body, rows, holder: null }
  const known = new Map(rows.map((row) => [row.id, row]))
  const { body, held } =
    dialect === 'openai-responses'
      ? await replaced(context, payload.body, known)
      : { body: withVendorAddresses(context.ctx, payload.body, rows), held: [] }
  return { body, rows, holder: holderOf([...rows, ...held]) }
}

/** What a body speaks of, all of it the caller's. */
export async function rowsFor(
  { ctx }: RelayContext,
  caller: Caller,
  dialect: string,
  { text, body }: { readonly text: string; readonly body: JsonBody },
): Promise<StateRow[]> {
  const references = referencesIn(dialect, text, body)
  const bare = dialect === 'openai-responses' ? bareReasoning(body) : []
  if (references.length + bare.length === 0) return []
  const ids = [...new Set([...references.map(({ id }) => id), ...bare])]
  const rows = await findState(ctx.database.db, caller.userId, ids, epochSeconds(ctx))
  const missing = references.find(({ id }) => !rows.some((row) => row.id === id))
  if (missing) throw unknown(missing)
  return rows
}

const bareReasoning = ({ input }: JsonBody): string[] =>
  arrayOf(input).flatMap((entry) => {
    const item = objectOf(entry)
    return item && isBareReasoning(item) ? [textOf(item.id) ?? ''] : []
  })

/** Thoughts nobody here was given are left out; what is ours is put in. */
function replaced(
  { ctx }: RelayContext,
  body: JsonBody,
  known: ReadonlyMap<string, StateRow>,
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
  return hasOwn ? expanded(ctx, cleaned, known, epochSeconds(ctx)) : { body: cleaned, held: [] }
}

/** Two vendors cannot answer one question. */
function holderOf(rows: readonly StateRow[]): Holder | null {
  const held = rows.filter((row) => row.channel_id !== 0)
  const [first] = held
  if (!first) return null
  if (held.some((row) => row.channel_id !== first.channel_id || row.key_hash !== first.key_hash))
    throw refuse('stateApart')
  return { channelId: first.channel_id, keyHash: first.key_hash }
}
