import type { ChatFault } from '#server/dialects/chat.ts'
import { AnswerTooLong } from '#server/lib/http1/http-response.ts'
import { directStream } from '#server/lib/streams/direct-stream.ts'
import type { Deliverable } from '#server/relay/answer/deliverable.ts'
import type { Piece } from '#server/relay/answer/passage.ts'
import { createTail, faultAtEnd } from '#server/relay/answer/tail.ts'
import type { Consumption } from '#server/relay/metering/charges.ts'
import { chatConsumption } from '#server/relay/metering/consumption.ts'
import { refusal } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Outcome, RelayedRequest } from '#server/relay/relayed-request.ts'
import { isUnpaid, settle, settleLater } from '#server/relay/settlement/settle.ts'
import { keepAnswer } from '#server/relay/state/keep-answer.ts'
import type { UpstreamAnswer } from '#server/relay/upstream/upstream-answer.ts'
import { createKeyHider, withoutKey } from '#server/relay/upstream/without-key.ts'
import { createEnder } from './ender.ts'
import { createReader } from './reader.ts'
import { createStreamTimeouts } from './stream-timeouts.ts'

/** The longest stream of bytes; no sound or picture is this long. */
const streamedBytesMax = 256 * 1024 * 1024
const noBytes = new Uint8Array(0)

type Frames = Extract<Deliverable, { kind: 'frames' }>
type Bytes = Extract<Deliverable, { kind: 'bytes' }>

/** Carries a stream of frames: one chunk of the upstream for each the client takes, the end of it only once it is paid. */
export function conveyFrames(
  context: RelayContext,
  request: RelayedRequest,
  answer: UpstreamAnswer,
  frames: Frames,
): ReadableStream<Uint8Array> {
  const { passage, meter, chunks } = frames
  const { ctx } = context
  const { ask } = request
  const { connection } = request.inbound
  const { silence } = answer
  const timeouts = createStreamTimeouts(silence, () => meter.finishes() >= ask.answers)

  const ender = createEnder(context, request.inbound, async (outcome, fault) => {
    silence.stop()
    answer.abort()
    if (fault) request.fault = fault
    const consumption = await chatConsumption(ask, meter, ctx.options().ApproximateTokenEnabled, outcome)
    await settleOrLater(context, request, outcome, consumption)
  })
  const reader = createReader(context, request, ender, {
    readOn: () => carry(null),
    isPromptKnown: () => (meter.reported()?.input ?? 0) > 0,
  })

  /** Set when the connection to the upstream broke. */
  let isCut = false
  const closing = async (): Promise<Piece[]> => {
    const channel = deliveryChannel(request)
    const found = endOf(frames, isCut ? ask.answers : 1, silence.stalled())
    const fault = found && withoutKey(found, channel.key)
    const rest = fault ? [] : passage.release()
    try {
      if (reader.hasLeft()) await ender.end('cut')
      else await ender.end(fault ? 'failed' : 'done', fault)
    } catch (cause) {
      ctx.log.error('a stream could not be settled', { request: request.id, cause })
      return passage.fail(refusal('unavailable'), request.id)
    }
    if (fault) context.health.failed(channel, fault, null)
    if (fault) return passage.fail(fault, request.id)
    await keepAnswer(context, request, answer, {
      text: passage.lastData(),
      id: meter.answerId(),
      withIds: passage.withIds(),
    })
    return rest
  }

  /** Without a client it only reads, to know what was used. */
  const carry = async (client: ReadableStreamDirectController | null): Promise<void> => {
    /** Sends the pieces; returns a promise when the client must catch up first. */
    const write = (pieces: readonly Piece[]): number | Promise<number> => {
      let room: number | Promise<number> = 0
      if (!client || reader.hasLeft()) return room
      for (const piece of pieces) room = client.write(piece)
      client.flush()
      return room
    }
    let chunk: Uint8Array | undefined = noBytes
    let room = write(frames.first)
    while (chunk && !passage.ended() && !meter.fault()) {
      if (typeof room !== 'number') await reader.catchesUp(room)
      if (ender.over()) {
        client?.end()
        return
      }
      timeouts.listens()
      try {
        chunk = (await chunks.next()).value
      } catch {
        isCut = true
        chunk = undefined
      }
      silence.pause()
      if (ender.over()) return
      room = write(chunk ? passage.push(chunk) : passage.end())
      timeouts.understood()
    }
    const last = await closing()
    write(last)
    connection.streamed()
    client?.end()
  }
  reader.watch()
  return directStream({
    async pull(client) {
      reader.begins()
      try {
        await carry(client)
      } catch (cause) {
        ctx.log.error('a stream could not be carried to its end', { request: request.id, cause })
        const fault = refusal('streamCut')
        await ender.end('failed', fault).catch(() => {})
        for (const piece of passage.fail(fault, request.id)) client.write(piece)
        connection.streamed()
        client.end()
      }
    },
    cancel: reader.leaves,
  })
}

/** What was delivered is charged, later if the database is away; the end of the answer is shown only when it is paid. */
async function settleOrLater(
  context: RelayContext,
  request: RelayedRequest,
  outcome: Outcome,
  consumption: Consumption,
): Promise<void> {
  const paid = await settle(context, request, { outcome, consumption }).catch((error) => {
    settleLater(context, request, { outcome: outcome === 'done' ? 'failed' : outcome, consumption })
    throw error
  })
  if (outcome === 'done' && isUnpaid(paid)) throw new Error('the end of an answer could not be paid')
}

function deliveryChannel(request: RelayedRequest) {
  if (!request.delivery) throw new Error('nothing is being delivered')
  return request.delivery.channel
}

/** What was wrong with the end of a stream; undefined when it is complete. */
function endOf({ meter, passage }: Frames, answers: number, stalled: boolean): ChatFault | undefined {
  const fault = meter.fault()
  if (fault) return fault
  if (passage.ended() || meter.finishes() >= answers) return undefined
  return refusal(stalled ? 'streamStalled' : 'streamCut')
}

/** Carries bytes as they are, always one chunk behind: the last goes out once it is paid. */
export function conveyBytes(
  context: RelayContext,
  request: RelayedRequest,
  answer: UpstreamAnswer,
  bytes: Bytes,
): ReadableStream<Uint8Array> {
  const { ctx } = context
  const { silence } = answer
  silence.reset()
  const tail = createTail(bytes.contentType)
  tail.add(bytes.first)
  /** An event may be an error message that contains the channel's key. */
  const hider = tail.comesAsEvents ? createKeyHider(deliveryChannel(request).key) : null
  let size = bytes.first.length
  const ender = createEnder(context, request.inbound, async (outcome, fault) => {
    silence.stop()
    answer.abort()
    if (fault) request.fault = fault
    const consumption = await bytes.consumption(ctx.options().ApproximateTokenEnabled, tail)
    await settleOrLater(context, request, outcome, consumption)
  })
  /** A stream may end without a break and contain an error as its last event. */
  const close = (): Promise<void> => {
    const fault = tail.comesAsEvents ? faultAtEnd(tail.text()) : null
    if (reader.hasLeft()) return ender.end('cut')
    return fault ? ender.end('failed', withoutKey(fault, deliveryChannel(request).key)) : ender.end('done')
  }
  let last: Uint8Array = bytes.first
  /** Reads on; the chunk before goes to the client, if there still is one. */
  const carry = async (controller: ReadableStreamDefaultController<Uint8Array> | null): Promise<void> => {
    /** Returns false when nothing of the piece was sent. */
    const show = (piece: Uint8Array): boolean => {
      if (reader.hasLeft() || piece.length === 0) return false
      controller?.enqueue(piece)
      return true
    }
    let isShown = false
    try {
      do {
        silence.resume()
        const { done, value } = await bytes.chunks.next()
        silence.pause()
        size += value?.length ?? 0
        if (size > streamedBytesMax) throw new AnswerTooLong()
        if (done) await close()
        else tail.add(value)
        isShown = show(hider?.push(last) ?? last)
        if (done && !reader.hasLeft()) {
          show(hider?.end() ?? noBytes)
          request.inbound.connection.streamed()
          controller?.close()
        }
        if (!done) last = value
      } while ((reader.hasLeft() || !isShown) && !ender.over())
    } catch (error) {
      const fault = refusal(silence.stalled() ? 'streamStalled' : 'streamCut')
      if (!ender.over() && !reader.hasLeft()) context.health.failed(deliveryChannel(request), fault, null)
      await ender.end(reader.hasLeft() ? 'cut' : 'failed', fault).catch(() => {})
      if (!reader.hasLeft()) controller?.error(error)
    }
  }
  const reader = createReader(context, request, ender, { readOn: () => carry(null), isPromptKnown: () => false })
  reader.watch()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      reader.begins()
      await carry(controller)
      reader.rests()
    },
    cancel: reader.leaves,
  })
}
