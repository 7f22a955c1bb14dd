import { providerOf } from '#server/providers/index.ts'
import { type Target, UpstreamFault } from '#server/providers/provider.ts'
import { type Deliverable, makeReady } from '#server/relay/answer/deliverable.ts'
import { refusal } from '#server/relay/refusals.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import { type SendContext, type SendResult, send, type UpstreamAnswer } from '#server/relay/upstream/send.ts'
import { withoutKey } from '#server/relay/upstream/without-key.ts'

/** What one channel has to say to a request: an answer worth showing, or why there is none. */
export type Attempt =
  | { readonly ok: true; readonly answer: UpstreamAnswer; readonly deliverable: Deliverable }
  | (Extract<SendResult, { ok: false }> & { readonly cause?: unknown })

/** Asks one channel. One that refuses because a cached credential has gone stale is asked once more. */
export async function attempt(ctx: SendContext, ask: Ask, target: Target): Promise<Attempt> {
  const first = await attemptOnce(ctx, ask, target)
  if (first.ok) return first
  const isStale =
    !first.clientGone && !first.clientsFault && providerOf(target.type).refresh?.(first.fault, target) === true
  const result = isStale ? await attemptOnce(ctx, ask, target) : first
  return result.ok ? result : { ...result, fault: withoutKey(result.fault, target.key) }
}

async function attemptOnce(ctx: SendContext, ask: Ask, target: Target): Promise<Attempt> {
  const result = await send(ctx, ask, target)
  if (!result.ok) return result
  const { answer } = result
  const { silence } = answer
  try {
    const ready = await makeReady(ask, answer)
    if (ready.ok) {
      if (ready.deliverable.kind === 'whole') silence.stop()
      return { ok: true, answer, deliverable: ready.deliverable }
    }
    silence.stop()
    answer.abort()
    return { ok: false, fault: ready.fault, retryAfter: null }
  } catch (cause) {
    silence.stop()
    answer.abort()
    const clientGone = ctx.gone.aborted
    if (cause instanceof UpstreamFault) return { ok: false, fault: cause.fault, retryAfter: null, clientGone }
    const fault = refusal(silence.stalled() ? 'upstreamTimeout' : 'streamCut')
    return { ok: false, fault, retryAfter: null, clientGone, cause }
  }
}
