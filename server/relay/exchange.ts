import { providerOf } from '#server/providers/index.ts'
import { type Target, UpstreamFault } from '#server/providers/provider.ts'
import type { Ask } from './ask.ts'
import { type Attempt, type AttemptContext, attempt, type UpstreamAnswer } from './attempt.ts'
import { type Deliverable, makeReady } from './deliverable.ts'
import { refusal } from './refusals.ts'
import { withoutKey } from './without-key.ts'

/** What one channel has to say to a request: an answer worth showing, or why there is none. */
export type Exchange =
  | { readonly ok: true; readonly answer: UpstreamAnswer; readonly deliverable: Deliverable }
  | (Extract<Attempt, { ok: false }> & { readonly cause?: unknown })

/** Asks one channel. One that refuses because a cached credential has gone stale is asked once more. */
export async function exchange(ctx: AttemptContext, ask: Ask, target: Target, isSecond = false): Promise<Exchange> {
  const result = await attempt(ctx, ask, target)
  if (!result.ok) return refused(ctx, ask, target, result, isSecond)
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
    return refused(ctx, ask, target, { ok: false, fault: ready.fault, retryAfter: null }, isSecond)
  } catch (cause) {
    silence.stop()
    answer.abort()
    const clientGone = ctx.gone.aborted
    const fault =
      cause instanceof UpstreamFault ? cause.fault : refusal(silence.stalled() ? 'upstreamTimeout' : 'streamCut')
    const seen = cause instanceof UpstreamFault ? {} : { cause }
    return refused(ctx, ask, target, { ok: false, fault, retryAfter: null, clientGone, ...seen }, isSecond)
  }
}

function refused(
  ctx: AttemptContext,
  ask: Ask,
  target: Target,
  result: Extract<Exchange, { ok: false }>,
  isSecond: boolean,
): Exchange | Promise<Exchange> {
  const isStale =
    !isSecond &&
    !result.clientGone &&
    !result.clientsFault &&
    providerOf(target.type).refresh?.(result.fault, target) === true
  if (isStale) return exchange(ctx, ask, target, true)
  return { ...result, fault: withoutKey(result.fault, target.key) }
}
