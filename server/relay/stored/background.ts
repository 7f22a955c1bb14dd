import { type Context, epochSeconds } from '#server/context.ts'
import type { ChatFault } from '#server/dialects/chat.ts'
import { failureOf } from '#server/dialects/openai-responses/failure.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { arrayOf, type JsonObject, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { errorFault } from '#server/relay/error-fault.ts'
import { show } from '#server/relay/lookups/show.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { writeSurely } from '#server/relay/settlement/write-surely.ts'
import { stateRow } from '#server/relay/state/keep-answer.ts'
import { itemsOfInput, openResponse } from '#server/relay/state/own-response.ts'
import { changeMade, endState, findState, keepState, type StateRow, underWay } from '#server/relay/state/state.store.ts'

/** A question whose caller is known. */
export interface Asked {
  readonly inbound: InboundRequest
  readonly caller: Caller
  readonly read: Ask
}

/**
 * Makes the answer like any other; passed in so that this module does not import `relay.ts`. No vendor is asked before `admitted`,
 * called once the money is held, has resolved.
 */
type Make = (asked: Asked, admitted: () => Promise<void>) => Promise<Response>

/** What this node makes in the background, by id, and how to stop it. */
const running = new Map<string, AbortController>()

/** Answers of this node that are kept and not paid yet, by id. */
const unpaidRows = new Map<string, StateRow>()

export const wantsBackground = ({ entrance, payload }: Ask): boolean =>
  entrance.door.dialect.id === 'openai-responses' && payload.kind === 'json' && isOn(payload.body.background)

/** Anything but absent, null or false counts as on, since a vendor might read it so. */
const isOn = (background: unknown): boolean => background !== undefined && background !== null && background !== false

interface Work {
  readonly row: StateRow
  readonly input: readonly JsonObject[]
  readonly previous: string
  readonly asked: JsonObject
}

/** Answers at once with a response that is queued, and makes it without its client waiting. It is billed when it is done. */
export async function startBackground(
  context: RelayContext,
  { inbound, caller, read: ask }: Asked,
  make: Make,
): Promise<Response> {
  const { ctx } = context
  if (ask.payload.kind !== 'json') throw new Error('a form has no background')
  const days = ctx.options().ResponseRetentionDays
  const { background: _, stream, ...body } = ask.payload.body
  if (body.store === false || days === 0) throw refuse('notStored')
  if (stream === true) throw refuse('backgroundStream')
  const id = `resp_${inbound.id}`
  const now = epochSeconds(ctx)
  const row = stateRow({ userId: caller.userId, kind: 'response', id, now, days }, { node: ctx.nodeId }) as StateRow
  const work: Work = {
    row,
    input: itemsOfInput(body.input, inbound.id),
    previous: textOf(body.previous_response_id) ?? '',
    asked: queued(id, now, ask.payload.body),
  }
  const stop = new AbortController()
  const http = new Request(inbound.http.url, { method: 'POST', headers: inbound.http.headers, signal: stop.signal })
  const payload = { kind: 'json', text: JSON.stringify(body), body } as const
  const alone: Ask = { ...ask, stream: false, inBackground: keepUnpaid(context, work), payload }
  const admission = Promise.withResolvers<void>()
  // An answer that nobody could read later must not be made.
  const keep = async () => {
    await keepState(ctx.database.db, [sealed(ctx, work, { response: work.asked, status: 'in_progress' })])
    running.set(id, stop)
    admission.resolve()
  }
  const made = make({ inbound: { ...inbound, http }, caller, read: alone }, keep)
  // What is refused is refused at once, as it would be in the foreground.
  await Promise.race([admission.promise, made])
  inbound.place.keep()
  context.pendingSettlements.add(finish(context, work, made, stop.signal).finally(() => inbound.place.free()))
  return show(work.asked)
}

/** A response nobody has begun yet, in the form of one that is done. */
function queued(id: string, now: number, body: JsonObject): JsonObject {
  const request = openaiResponses.decodeRequest({ ...withoutState(body), background: false })
  const done = objectOf(openaiResponses.encodeResponse([{ type: 'start', id, created: now }], request)) ?? {}
  return {
    ...done,
    id,
    status: 'queued',
    background: true,
    store: true,
    previous_response_id: body.previous_response_id ?? null,
  }
}

const withoutState = ({
  previous_response_id: _,
  conversation: __,
  prompt: ___,
  input,
  ...rest
}: JsonObject): JsonObject => ({
  ...rest,
  input: typeof input === 'string' ? input : 'x',
})

async function finish(
  context: RelayContext,
  work: Work,
  answered: Promise<Response>,
  stopped: AbortSignal,
): Promise<void> {
  const result = await resultOf(work, answered, stopped)
  const unpaid = unpaidRows.get(work.row.id)
  unpaidRows.delete(work.row.id)
  const isMade = result.status !== 'failed' && result.status !== 'cancelled'
  const done =
    unpaid && isMade ? { ...unpaid, status: '' } : sealed(context.ctx, work, { response: result, status: '' })
  // Retried until it is stored: a client that polls would otherwise wait for ever.
  const kept = { of: 'a response', done: 'kept', facts: { id: work.row.id } }
  await writeSurely(context, kept, () => endResponse(context.ctx, done, result))
  running.delete(work.row.id)
}

async function resultOf(work: Work, answered: Promise<Response>, stopped: AbortSignal): Promise<JsonObject> {
  try {
    return madeOf(work, await (await answered).json())
  } catch (error) {
    return stopped.aborted ? { ...work.asked, status: 'cancelled' } : failedResponse(work.asked, errorFault(error))
  }
}

export const failedResponse = (asked: JsonObject, fault: Pick<ChatFault, 'code' | 'message'>): JsonObject => ({
  ...asked,
  status: 'failed',
  error: failureOf(fault),
})

interface Kept {
  readonly response: JsonObject
  readonly status: string
  /** Set where it is made and not paid yet. */
  readonly holdId?: string
}

const sealed = (ctx: Context, { row, input, previous, asked }: Work, { response, status, holdId }: Kept): StateRow => {
  const unpaid = holdId === undefined ? {} : { asked, holdId }
  return { ...row, status, body_sealed: ctx.secrets.seal(JSON.stringify({ response, input, previous, ...unpaid })) }
}

const madeOf = ({ row, previous }: Work, made: unknown): JsonObject => ({
  ...objectOf(made),
  id: row.id,
  background: true,
  previous_response_id: previous || null,
})

/** Kept before it is paid: a node that is killed in between leaves an answer, and whether it was paid says whether it is shown. */
const keepUnpaid =
  ({ ctx }: RelayContext, work: Work) =>
  async (body: string, holdId: string): Promise<void> => {
    const row = sealed(ctx, work, { response: madeOf(work, parseJson(body)), status: 'settling', holdId })
    try {
      if (await changeMade(ctx.database.db, row)) unpaidRows.set(row.id, row)
    } catch (cause) {
      // It is kept when it is paid, as often as that has to be tried.
      ctx.log.warn('a response is not kept yet', { id: row.id, cause })
    }
  }

/** Stores the result and its items together, so that the items can be referred to as soon as the response is done. */
export async function endResponse(ctx: Context, done: StateRow, response: JsonObject): Promise<void> {
  const items = arrayOf(response.output).flatMap((item) => textOf(objectOf(item)?.id) ?? [])
  const bare = { ...done, kind: 'item', parent: done.id, status: '', node: '', body_sealed: '' }
  const rows = items.map((id) => ({ ...bare, id }))
  await ctx.database.db.transaction().execute(async (tx) => {
    if (await endState(tx, done)) await keepState(tx, rows)
  })
}

/** How often, and how many times, one looks whether a response that is being paid is done. */
const pauseMs = 50
const looksMax = 100

/**
 * Stops the response while it is being made, on whichever node; what its vendor did is paid. One that is done stays so, also where it
 * has become so a moment ago.
 */
export async function cancelBackground({ ctx }: RelayContext, row: StateRow): Promise<JsonObject> {
  const own = openResponse(ctx.secrets, row)
  const response = { ...own.response, status: 'cancelled' }
  const body_sealed = ctx.secrets.seal(JSON.stringify({ ...own, response }))
  if (await changeMade(ctx.database.db, { ...row, status: '', body_sealed })) {
    running.get(row.id)?.abort()
    return response
  }
  for (let look = 0; look < looksMax; look += 1) {
    const [now] = await findState(ctx.database.db, row.user_id, [row.id], epochSeconds(ctx))
    if (!now) break
    if (!underWay.includes(now.status)) return openResponse(ctx.secrets, now).response
    await Bun.sleep(pauseMs)
  }
  throw refuse('stateUnknown', { param: 'id', id: row.id })
}
