import { epochSeconds } from '#server/context.ts'
import { gemini } from '#server/dialects/gemini/gemini.ts'
import { type ClientSocket, type SocketHandler, socketBytesMax } from '#server/http/listen.ts'
import { objectOf, textOf } from '#server/lib/json.ts'
import { errorFault } from '#server/relay/error-fault.ts'
import { requirePurse } from '#server/relay/metering/purse.ts'
import { noteRefusal } from '#server/relay/observers/note-refusal.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Caller } from '#server/relay/request/caller.ts'
import type { Door } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { stateRow } from '#server/relay/state/keep-answer.ts'
import { keepToHolder } from '#server/relay/state/keep-to-holder.ts'
import type { Holder } from '#server/relay/state/resolve-state.ts'
import { keepState } from '#server/relay/state/state.store.ts'
import { mine } from '#server/relay/stored/held-by-vendor.ts'
import { frameLike, readFrame, type SocketFrame, sizeOfFrame } from './frames.ts'
import { createGeminiMeter } from './gemini-meter.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import { runSession, shortReason } from './run-session.ts'
import { lasting, openingHeaders, requireSocket } from './socket-request.ts'

const livePath = /^\/+ws\/google\.ai\.generativelanguage\.(v1(?:beta|alpha)?)\.GenerativeService\.BidiGenerateContent$/

export const isLive = (url: URL): boolean => livePath.test(url.pathname)

const door: Door = { operation: 'live', dialect: gemini, payload: 'json' }

/** How long a client may take to say which model it wants. */
const setupWithinMs = 30_000

/** Gemini Live. The model stands in the first message: what is wrong with it ends the socket with a reason. */
export async function serveLive(context: RelayContext, http: InboundRequest): Promise<Response> {
  requireSocket(http)
  const inbound = lasting(http)
  const caller = await context.callers.identify(inbound)
  await requirePurse(context, caller)
  const handler = waitForSetup(context, inbound, caller)
  if (!http.connection.upgrade(handler, openingHeaders(inbound))) {
    handler.closed(1006, '')
    throw refuse('socketOnly')
  }
  return new Response(null)
}

/** Keeps what the client says until its vendor has taken the session. */
function waitForSetup(context: RelayContext, inbound: InboundRequest, caller: Caller): SocketHandler {
  let client: ClientSocket | null = null
  let session: SocketHandler | null = null
  let hasLeft = false
  const waiting: SocketFrame[] = []
  let waitingBytes = 0

  const leave = (code: number, reason: string) => {
    clearTimeout(late)
    hasLeft = true
    client?.close(code, shortReason(reason))
  }
  const late = setTimeout(() => leave(1008, 'The first message must be the setup, within 30 s.'), setupWithinMs)

  const begin = async (first: SocketFrame) => {
    clearTimeout(late)
    try {
      const opened = await begun(context, inbound, caller, first)
      session = opened.handler
      if (hasLeft) return session.closed(1006, '')
      if (client) session.opened(client)
      opened.vendorSetup()
      for (const data of waiting.splice(0)) session.message(data)
    } catch (error) {
      noteRefusal(context, inbound, error)
      const { code, message, status } = errorFault(error)
      if (status >= 500) context.ctx.log.info('a live session was not opened', { request: inbound.id, cause: error })
      leave(status >= 500 ? 1011 : 1008, `${code ?? status}: ${message}`)
    }
  }

  let hasBegun = false
  return {
    opened(socket) {
      client = socket
    },
    message(data) {
      if (hasLeft) return
      if (session) return session.message(data)
      if (!hasBegun) {
        hasBegun = true
        void begin(data)
        return
      }
      waitingBytes += sizeOfFrame(data)
      if (waitingBytes > socketBytesMax) leave(1009, 'Too much was sent before the session was open.')
      else waiting.push(data)
    },
    closed(code, reason) {
      clearTimeout(late)
      hasLeft = true
      session?.closed(code, reason)
    },
  }
}

async function begun(context: RelayContext, inbound: InboundRequest, caller: Caller, first: SocketFrame) {
  const message = readFrame(first)
  const setup = objectOf(message?.setup)
  if (!message || !setup) throw refuse('setupMissing')
  const model = (textOf(setup.model) ?? '').replace(/^models\//, '')
  if (model === '') throw refuse('modelMissing')
  const resumption = objectOf(setup.sessionResumption) ?? objectOf(setup.session_resumption)
  const handle = textOf(resumption?.handle)
  const holder = handle ? await holderOf(context, caller, handle) : null
  const session = await openSession(context, inbound, caller, {
    door,
    model,
    query: () => new URLSearchParams(),
    holder: (route) => keepToHolder(context.ctx, route, holder),
  })
  const upstream = session.offer.model
  const sent =
    upstream === model
      ? first
      : frameLike(first, JSON.stringify({ ...message, setup: { ...setup, model: `models/${upstream}` } }))
  const handler = runSession(
    context,
    session,
    createGeminiMeter((given) => keepHandle(context, session, given)),
  )
  return { handler, vendorSetup: () => handler.message(sent) }
}

/** A handle lets its owner resume a session. It is long and secret, so only its hash is stored. */
const idOfHandle = ({ ctx }: RelayContext, handle: string): string => `live_${ctx.secrets.hash(handle)}`

/** Google forgets the session of a handle after this time. */
const resumableDays = 1

async function holderOf(context: RelayContext, caller: Caller, handle: string): Promise<Holder> {
  const row = await mine(context, caller, 'live', idOfHandle(context, handle))
  return { channelId: row.channel_id, keyHash: row.key_hash }
}

function keepHandle(context: RelayContext, { request, delivery }: OpenedSession, handle: string): void {
  const { ctx } = context
  const thing = { userId: request.caller.userId, kind: 'live', id: idOfHandle(context, handle) } as const
  const held = { channel_id: delivery.channel.id, key_hash: ctx.secrets.hash(delivery.channel.key) }
  const row = stateRow({ ...thing, now: epochSeconds(ctx), days: resumableDays }, held)
  keepState(ctx.database.db, [row]).catch((cause) => ctx.log.error('a handle could not be kept', { cause }))
}
