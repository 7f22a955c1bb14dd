import { cleanWord } from '#server/dialects/fault.ts'
import { type ClientSocket, type SocketHandler, socketBytesMax } from '#server/http/listen.ts'
import { type RefusalName, RelayFault, refusal } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Outcome } from '#server/relay/relayed-request.ts'
import { textWithoutKey } from '#server/relay/upstream/without-key.ts'
import { presentableFrame, type SocketFrame, sizeOfFrame } from './frames.ts'
import type { OpenedSession } from './open-session.ts'
import type { SessionMeter } from './session-meter.ts'
import { createSlices, type Slices } from './slices.ts'

/** Vendors end a session after an hour too. */
const longestSessionMs = 60 * 60_000
const lookEveryMs = 1000
/** When a client leaves during an answer, the vendor has this time to report it; after that it is estimated. */
const lingersMs = 3000

/** Close codes that may be sent; the others stand for a broken connection. */
const closeCode = (code: number): number =>
  code === 1000 || code === 1001 || (code >= 3000 && code < 5000) ? code : 1011

/** A reason has room for 123 bytes. */
export const shortReason = (text: string): string => {
  let short = text.slice(0, 120)
  while (Buffer.byteLength(short) > 120) short = short.slice(0, -1)
  return short
}

/** A session that runs. */
interface Running {
  readonly context: RelayContext
  readonly session: OpenedSession
  readonly meter: SessionMeter
  readonly slices: Slices
  readonly startedAt: number
  lastFrameAt: number
  client: ClientSocket | null
  isOver: boolean
  isCovering: boolean
  /** The node stops: the answer that runs is the last. */
  isLast: boolean
  /** As the node knows it. */
  readonly leave: () => void
  waitingBytes: number
  /** Payments and frames run one after the other, so that a frame is shown after its payment. */
  turn: Promise<void>
  readonly vendorGone: PromiseWithResolvers<void>
  readonly reported: PromiseWithResolvers<void>
  looking: ReturnType<typeof setInterval> | undefined
}

/** Why a session is closed: a fault of the relay's, or the vendor's reason. */
interface ClosingReason {
  readonly code: number
  readonly fault?: RefusalName
  readonly reason?: string
}

function inTurn(run: Running, work: () => Promise<void>): void {
  run.turn = run.turn.then(work).catch((cause) => {
    run.context.ctx.log.error('a session failed', { request: run.session.request.id, cause })
    end(run, 'failed', { code: 1011, fault: 'internal' })
  })
}

function end(run: Running, outcome: Outcome, closing?: ClosingReason): void {
  if (run.isOver) return
  run.isOver = true
  clearInterval(run.looking)
  run.context.sessions.delete(run.leave)
  if (closing) {
    const fault = closing.fault && refusal(closing.fault)
    const words = fault && run.meter.encodeFault(fault)
    if (words) run.client?.send(words)
    run.client?.close(closing.code, shortReason(fault ? `${fault.code}: ${fault.message}` : (closing.reason ?? '')))
  }
  run.client = null
  run.context.pendingSettlements.add(settled(run, outcome))
}

/** Waits a moment for the usage report of the answer under way; without one it is estimated. */
async function settled(run: Running, outcome: Outcome): Promise<void> {
  const { meter, session, slices } = run
  if (meter.isAnswering()) {
    if (meter.stop) session.vendor.send(meter.stop)
    const waited = Promise.withResolvers<void>()
    const late = setTimeout(waited.resolve, lingersMs)
    await Promise.race([run.reported.promise, run.vendorGone.promise, waited.promise])
    clearTimeout(late)
  }
  session.vendor.close()
  await run.turn
  for (const slice of meter.takeUnreported()) await slices.pay(slice, meter.underWay)
  const rest = meter.isAnswering() ? meter.underWay() : null
  // A vendor that breaks off before it has sent anything is not paid.
  await slices.close(outcome, rest && (outcome !== 'failed' || rest.output > 0) ? rest : null)
}

const stop = (run: Running, fault: RefusalName) => end(run, 'done', { code: 1008, fault })

/** Once what is under way costs more than is held, more is held or the session ends. */
function guard(run: Running): void {
  const { meter, slices } = run
  if (run.isOver || run.isCovering || slices.isCovered(meter.underWay())) return
  run.isCovering = true
  inTurn(run, async () => {
    run.isCovering = false
    if (run.isOver || slices.isCovered(meter.underWay())) return
    const lack = await slices.cover(meter.underWay())
    if (lack) stop(run, lack)
  })
}

/** Ends the session when its key or user was disabled or deleted meanwhile. */
async function mayGoOn({ context, session }: Running): Promise<boolean> {
  try {
    await context.callers.identify(session.request.inbound)
    return true
  } catch (error) {
    return !(error instanceof RelayFault)
  }
}

const keyOf = ({ session }: Running): string => session.delivery.channel.key

async function fromVendor(run: Running, data: SocketFrame): Promise<void> {
  const { meter, slices } = run
  let lack: RefusalName | null = null
  for (const slice of meter.fromVendor(data)) {
    lack = (await slices.pay(slice, meter.underWay)) ?? ((await mayGoOn(run)) ? null : 'sessionSpent')
    if (!meter.isAnswering()) run.reported.resolve()
  }
  run.client?.send(presentableFrame(data, keyOf(run)))
  if (lack) stop(run, lack)
  else if (run.isLast) leave(run)
  else guard(run)
}

/** Ends between two answers. */
function leave(run: Running): void {
  run.isLast = true
  if (!run.meter.isAnswering()) end(run, 'done', { code: 1001, fault: 'stopping' })
}

function listenToVendor(run: Running): void {
  const { context, session } = run
  session.vendor.listen({
    message(data) {
      run.lastFrameAt = context.ctx.clock()
      if (session.request.firstByteAt === 0) session.request.firstByteAt = run.lastFrameAt
      const size = sizeOfFrame(data)
      run.waitingBytes += size
      if (run.waitingBytes > socketBytesMax) end(run, 'failed', { code: 1013, fault: 'sessionTooSlow' })
      inTurn(run, async () => {
        run.waitingBytes -= size
        await fromVendor(run, data)
      })
    },
    closed(code, reason) {
      run.vendorGone.resolve()
      const words = cleanWord(textWithoutKey(reason, keyOf(run)))
      inTurn(run, async () => end(run, code === 1000 ? 'done' : 'failed', { code: closeCode(code), reason: words }))
    },
  })
}

function fromClient(run: Running, data: SocketFrame): void {
  if (run.isOver) return
  run.lastFrameAt = run.context.ctx.clock()
  const verdict = run.meter.fromClient(data)
  if ('refused' in verdict) {
    const words = run.meter.encodeFault(verdict.refused)
    if (words) run.client?.send(words)
    else end(run, 'cut', { code: 1008, reason: verdict.refused.message })
    return
  }
  if (!run.session.vendor.send(verdict.pass)) end(run, 'failed', { code: 1013, fault: 'sessionTooSlow' })
  guard(run)
}

function look(run: Running): void {
  const { ctx } = run.context
  const now = ctx.clock()
  if (now - run.startedAt > longestSessionMs) end(run, 'done', { code: 1001, fault: 'sessionTooLong' })
  else if (now - run.lastFrameAt > ctx.config.CLIENT_IDLE_TIMEOUT * 1000)
    end(run, 'done', { code: 1001, fault: 'sessionIdle' })
}

/** Passes frames both ways, pays every report before it is shown, and ends when either side does or the money has run out. */
export function runSession(context: RelayContext, session: OpenedSession, meter: SessionMeter): SocketHandler {
  const startedAt = context.ctx.clock()
  const run: Running = {
    context,
    session,
    meter,
    slices: createSlices(context, session),
    startedAt,
    lastFrameAt: startedAt,
    client: null,
    isOver: false,
    isCovering: false,
    isLast: false,
    leave: () => leave(run),
    waitingBytes: 0,
    turn: Promise.resolve(),
    vendorGone: Promise.withResolvers<void>(),
    reported: Promise.withResolvers<void>(),
    looking: undefined,
  }
  context.sessions.add(run.leave)
  run.looking = setInterval(() => look(run), lookEveryMs)
  return {
    opened(socket) {
      run.client = socket
      listenToVendor(run)
    },
    message: (data) => fromClient(run, data),
    closed() {
      run.client = null
      end(run, 'cut')
    },
  }
}
