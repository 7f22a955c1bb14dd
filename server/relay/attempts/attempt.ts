import { providerOf } from '#server/providers/index.ts'
import { type Target, UpstreamFault } from '#server/providers/provider.ts'
import type { Deliverable } from '#server/relay/answer/deliverable.ts'
import { makeReady } from '#server/relay/answer/make-ready.ts'
import { refusal } from '#server/relay/refusals.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import { type SendContext, type SendResult, send } from '#server/relay/upstream/send.ts'
import type { UpstreamAnswer } from '#server/relay/upstream/upstream-answer.ts'
import { withoutKey } from '#server/relay/upstream/without-key.ts'

/** The result of one attempt: a deliverable answer, or the fault. */
export type Attempt =
  | { readonly ok: true; readonly answer: UpstreamAnswer; readonly deliverable: Deliverable }
  | FailedAttempt

type FailedAttempt = Extract<SendResult, { ok: false }> & { readonly cause?: unknown }

/** Asks one channel. */
export async function attempt(ctx: SendContext, ask: Ask, target: Target): Promise<Attempt> {
  const first = await attemptOnce(ctx, ask, target)
  return first.ok ? first : afterFailure(ctx, ask, target, first)
}

/** Sends the request once; the caller handles a failure with `afterFailure`. */
export async function attemptOnce(ctx: SendContext, ask: Ask, target: Target): Promise<Attempt> {
  const result = await send(ctx, ask, target)
  if (!result.ok) return result
  const { answer } = result
  const { silence } = answer
  try {
    const ready = await makeReady(ask, answer, ctx.gone)
    if (ready.ok) {
      if (ready.deliverable.kind === 'whole') silence.stop()
      return { ok: true, answer, deliverable: ready.deliverable }
    }
    silence.stop()
    answer.abort()
    return { ok: false, fault: ready.fault, retryAfter: null, clientGone: ctx.gone.aborted }
  } catch (cause) {
    silence.stop()
    answer.abort()
    const clientGone = ctx.gone.aborted
    if (cause instanceof UpstreamFault) return { ok: false, fault: cause.fault, retryAfter: null, clientGone }
    const fault = refusal(silence.stalled() ? 'upstreamTimeout' : 'streamCut')
    return { ok: false, fault, retryAfter: null, clientGone, cause }
  }
}

/** A 404 may be about an id in the client's request, which says nothing about the channel's credential. */
function mayLackState({ payload }: Ask, { fault }: FailedAttempt): boolean {
  if (fault.status !== 404 || payload.kind !== 'json') return false
  const { previous_response_id, conversation } = payload.body
  return Boolean(previous_response_id ?? conversation)
}

/** Handles a failed attempt: a channel that refused because a cached credential went stale is tried once more. */
export async function afterFailure(ctx: SendContext, ask: Ask, target: Target, first: FailedAttempt): Promise<Attempt> {
  const isStale =
    !first.clientGone &&
    !first.clientsFault &&
    !mayLackState(ask, first) &&
    providerOf(target.type).refresh?.(first.fault, target) === true
  const result = isStale ? await attemptOnce(ctx, ask, target) : first
  return result.ok ? result : { ...result, fault: withoutKey(result.fault, target.key) }
}
