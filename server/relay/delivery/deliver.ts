import type { SettleResult } from '#server/billing/ledger/ledger.ts'
import { inOnePiece, joined } from '#server/lib/streams/one-piece.ts'
import type { Deliverable } from '#server/relay/answer/deliverable.ts'
import type { FoundAnswer } from '#server/relay/attempts/attempt-through.ts'
import { ClientGone } from '#server/relay/client-gone.ts'
import { limitHeadersOf } from '#server/relay/limits/limit-headers.ts'
import type { Consumption } from '#server/relay/metering/charges.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RelayedRequest } from '#server/relay/relayed-request.ts'
import { free, isUnpaid, settle, settleLater } from '#server/relay/settlement/settle.ts'
import { keepAnswer } from '#server/relay/state/keep-answer.ts'
import { answerWith } from './answer-headers.ts'
import { conveyBytes, conveyFrames } from './convey.ts'

type Whole = Extract<Deliverable, { kind: 'whole' }>

const streamHeaders = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }

/** Shows the answer. What is complete in memory is paid first; a stream is paid before its last frame. */
export async function deliver(
  context: RelayContext,
  request: RelayedRequest,
  { answer, deliverable }: FoundAnswer,
): Promise<Response> {
  const hasLeft = request.inbound.http.signal.aborted
  const { contentType } = deliverable
  const limits = limitHeadersOf(request, context.ctx.clock())
  if (deliverable.kind === 'whole') {
    const found = deliverable.consumption(context.ctx.options().ApproximateTokenEnabled)
    const consumption = found instanceof Promise ? await found : found
    request.closed = true
    const end = { outcome: hasLeft ? 'cut' : 'done', consumption } as const
    const { inBackground } = request.ask
    const body = bodyOf(deliverable, consumption)
    const text = inBackground && !hasLeft ? await new Response(body).text() : null
    let paid: SettleResult
    try {
      if (inBackground && text !== null) await inBackground(text, request.holdId)
      paid = await settle(context, request, end, { onlyInFull: !hasLeft })
    } catch (error) {
      // An answer that could not be paid is not shown.
      settleLater(context, request, { outcome: 'failed', consumption: free })
      throw error
    }
    if (hasLeft) throw new ClientGone()
    if (isUnpaid(paid)) throw refuse('unavailable')
    const kept = keepAnswer(context, request, answer, { text: deliverable.lastData ?? deliverable.body, id: undefined })
    if (kept) await kept
    return answerWith(text ?? body, request, contentType, limits)
  }
  request.closed = true
  request.inbound.connection.streams()
  request.inbound.place.keep()
  const body =
    deliverable.kind === 'frames'
      ? conveyFrames(context, request, answer, deliverable)
      : conveyBytes(context, request, answer, deliverable)
  if (hasLeft) throw new ClientGone()
  return answerWith(body, request, contentType, { ...limits, ...streamHeaders })
}

function bodyOf({ body, bytesMost, pieces, complete }: Whole, consumption: Consumption): BodyInit {
  if (complete) return inOnePiece(complete(consumption))
  return pieces ? joined(pieces) : inOnePiece(body, bytesMost)
}
