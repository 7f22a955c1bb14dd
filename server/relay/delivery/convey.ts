import type { ChatFault } from '#server/dialects/chat.ts'
import { directStream } from '#server/lib/streams/direct-stream.ts'
import type { Deliverable } from '#server/relay/answer/deliverable.ts'
import type { Piece } from '#server/relay/answer/passage.ts'
import type { Consumption } from '#server/relay/metering/charges.ts'
import { chatConsumption } from '#server/relay/metering/consumption.ts'
import { refusal } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Outcome, RelayedRequest } from '#server/relay/relayed-request.ts'
import { settle, settleLater } from '#server/relay/settlement/settle.ts'
import type { UpstreamAnswer } from '#server/relay/upstream/send.ts'
import { withoutKey } from '#server/relay/upstream/without-key.ts'

/** How long the usage report may lag behind the end of an answer. */
const reportPatienceMs = 5000

const tailMax = 64 * 1024
const noBytes = new Uint8Array(0)

type Frames = Extract<Deliverable, { kind: 'frames' }>
type Bytes = Extract<Deliverable, { kind: 'bytes' }>

/** Runs once, whoever comes first: the end of the upstream, the client leaving, or the silence getting too long. */
interface Ender {
  readonly over: () => boolean
  end(outcome: Outcome, fault?: ChatFault): Promise<void>
}

function createEnder(
  { pendingSettlements }: RelayContext,
  work: (outcome: Outcome, fault?: ChatFault) => Promise<void>,
): Ender {
  let ending: Promise<void> | null = null
  return {
    over: () => ending !== null,
    end(outcome, fault) {
      if (ending) return ending
      ending = work(outcome, fault)
      pendingSettlements.add(ending)
      return ending
    },
  }
}

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
  const gone = request.inbound.http.signal
  const { silence } = answer
  const isFinished = () => meter.finishes() >= ask.answers
  if (isFinished()) silence.expect(reportPatienceMs)
  else silence.reset()

  const ender = createEnder(context, async (outcome, fault) => {
    silence.stop()
    answer.abort()
    if (fault) request.fault = fault
    const consumption = await chatConsumption(ask, meter, ctx.options().ApproximateTokenEnabled)
    await settleOrLater(context, request, outcome, consumption)
  })
  const leave = () => {
    ender
      .end('cut')
      .catch((cause) => ctx.log.error('a cut stream could not be settled', { request: request.id, cause }))
  }
  gone.addEventListener('abort', leave, { once: true })

  /** The upstream broke off; one that closes as it should may also have answered less often than it was asked to. */
  let isCut = false
  const closing = async (): Promise<Piece[]> => {
    const channel = deliveryChannel(request)
    const found = endOf(frames, isCut ? ask.answers : 1, silence.stalled())
    const fault = found && withoutKey(found, channel.key)
    try {
      await ender.end(fault ? 'failed' : 'done', fault)
    } catch (cause) {
      ctx.log.error('a stream could not be settled', { request: request.id, cause })
      return passage.fail(refusal('unavailable'), request.id)
    }
    if (fault) context.health.failed(channel, fault, null)
    return fault ? passage.fail(fault, request.id) : passage.release()
  }

  const carry = async (client: ReadableStreamDirectController): Promise<void> => {
    /** Sends at once. A promise when the client must catch up first. */
    const write = (pieces: readonly Piece[]): number | Promise<number> => {
      let room: number | Promise<number> = 0
      for (const piece of pieces) room = client.write(piece)
      client.flush()
      return room
    }
    let chunk: Uint8Array | undefined = noBytes
    let room = write(frames.first)
    while (chunk && !passage.ended() && !meter.fault()) {
      if (typeof room !== 'number') await room
      silence.resume()
      try {
        chunk = (await chunks.next()).value
      } catch {
        isCut = true
        chunk = undefined
      }
      silence.pause()
      if (gone.aborted) return
      room = write(chunk ? passage.push(chunk) : passage.end())
      if (isFinished()) silence.expect(reportPatienceMs)
    }
    const last = await closing()
    if (gone.aborted) return
    write(last)
    connection.streamed()
    client.end()
  }
  return directStream({
    async pull(client) {
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
    cancel: leave,
  })
}

/** What was delivered is owed, also when it can only be taken later; the end that was not paid is not shown. */
async function settleOrLater(
  context: RelayContext,
  request: RelayedRequest,
  outcome: Outcome,
  consumption: Consumption,
): Promise<void> {
  try {
    await settle(context, request, { outcome, consumption })
  } catch (error) {
    settleLater(context, request, { outcome: outcome === 'done' ? 'failed' : outcome, consumption })
    throw error
  }
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
  const gone = request.inbound.http.signal
  const { silence } = answer
  silence.reset()
  const decoder = bytes.contentType.startsWith('text/') ? new TextDecoder() : null
  let tail = decoder?.decode(bytes.first, { stream: true }) ?? ''
  const ender = createEnder(context, async (outcome, fault) => {
    silence.stop()
    answer.abort()
    if (fault) request.fault = fault
    const consumption = await bytes.consumption(ctx.options().ApproximateTokenEnabled, tail)
    await settleOrLater(context, request, outcome, consumption)
  })
  const leave = () => {
    ender
      .end('cut')
      .catch((cause) => ctx.log.error('a cut answer could not be settled', { request: request.id, cause }))
  }
  gone.addEventListener('abort', leave, { once: true })
  let last: Uint8Array = bytes.first
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        silence.resume()
        const { done, value } = await bytes.chunks.next()
        silence.pause()
        if (done) await ender.end('done')
        controller.enqueue(last)
        if (done) {
          request.inbound.connection.streamed()
          controller.close()
        } else {
          last = value
          if (decoder) tail = (tail + decoder.decode(value, { stream: true })).slice(-tailMax)
        }
      } catch (error) {
        const fault = refusal(silence.stalled() ? 'streamStalled' : 'streamCut')
        if (!ender.over()) context.health.failed(deliveryChannel(request), fault, null)
        await ender.end('failed', fault).catch(() => {})
        controller.error(error)
      }
    },
    cancel: leave,
  })
}
