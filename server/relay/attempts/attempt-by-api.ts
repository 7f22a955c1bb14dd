import type { ChatFault } from '#server/dialects/chat.ts'
import type { ApiChoice, Target } from '#server/providers/provider.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import { chatWishes } from '#server/relay/routing/api/chat-wishes.ts'
import { chooseApi } from '#server/relay/routing/api/choose-api.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import type { SendContext } from '#server/relay/upstream/send.ts'
import { type Attempt, afterFailure, attempt, attemptOnce } from './attempt.ts'
import { otherApi } from './other-api.ts'

/** Where an attempt goes, before its API is chosen. */
interface Place {
  readonly channel: RoutedChannel
  readonly target: Target
}

type Parts = Pick<RelayContext, 'apiFindings' | 'ctx'>

/** Asks by the API its model takes the request in; once more by the other one where the vendor says that this was wrong. */
export async function attemptByApi(
  context: Parts,
  sending: SendContext,
  ask: Ask,
  { channel, target: plain }: Place,
): Promise<Attempt> {
  const decision = chooseApi(ask, channel, context.apiFindings, context.ctx.clock())
  if ('lacked' in decision) return lacks(decision.lacked)
  if ('out' in decision || decision.api === null) return attempt(sending, ask, plain)
  const target: Target = { ...plain, api: decision.api }
  const first = await attemptOnce(sending, ask, target)
  if (first.ok) return first
  if (first.clientGone || first.clientsFault) return afterFailure(sending, ask, target, first)
  if (isOfOtherAccount(first.fault, decision.api))
    return attempt(sending, ask, { ...plain, api: { ...decision.api, withoutThoughts: true } })
  const other = otherApi(first.fault, target)
  if (other === null) return afterFailure(sending, ask, target, first)
  const { lacked } = chatWishes(ask, channel.overrides)
  if (other === 'responses' && lacked !== null) return lacks(lacked)
  const next: Target = { ...plain, api: { name: other, reason: 'vendor' } }
  const second = await attempt(sending, ask, next)
  if (second.ok || confirms(second.fault, next)) context.apiFindings.add(target, other, context.ctx.clock())
  return second
}

/** Thoughts that another account of the vendor sealed: the request works without them. */
const isOfOtherAccount = ({ status, code }: ChatFault, api: ApiChoice): boolean =>
  status === 400 && code === 'invalid_encrypted_content' && api.name === 'responses'

/** A vendor that refuses both APIs, or knows neither, has said nothing about the second. */
const confirms = (fault: ChatFault, target: Target): boolean =>
  fault.status !== 404 && fault.status !== 405 && otherApi(fault, target) === null

const lacks = (field: string): Attempt => {
  const { fault } = refuse('lackedWithTools', { field })
  return { ok: false, fault: { ...fault, param: field }, retryAfter: null, clientsFault: true }
}
