import type { LimitRefused } from '#server/billing/limits/limit-check.ts'
import { hasLimits } from '#server/relay/limits/caller-limits.ts'
import { countAttempt } from '#server/relay/limits/channel-limits.ts'
import { refuseForChannels } from '#server/relay/limits/refuse-limit.ts'
import { RelayFault, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RelayedRequest } from '#server/relay/relayed-request.ts'
import { candidatesText } from '#server/relay/routing/candidates-text.ts'
import { conversationOf } from '#server/relay/routing/conversations.ts'
import { drawFrom, firstAmong } from '#server/relay/routing/decide.ts'
import { nextRoute, type PlannedRoute } from '#server/relay/routing/plan-route.ts'
import { asLastResort, conditionsNow, passingOver } from '#server/relay/routing/routing-conditions.ts'
import { moveHold } from '#server/relay/settlement/reserve.ts'
import { presentable } from '#server/relay/upstream/vendor-refusal.ts'
import { attemptThrough, beginAttempt, concludeAttempt, type Failure, type FoundAnswer } from './attempt-through.ts'

/** How far a request has come with its channels. */
interface Progress {
  /** Attempts left, across all models. */
  triesLeft: number
  last: Failure | null
  isFinal: boolean
  /** Channels at their limits: skipped, not tried. */
  full: Map<number, LimitRefused> | null
}

/** Tries one channel after the other until one gives a deliverable answer. */
export async function runAttempts(
  context: RelayContext,
  request: RelayedRequest,
  asked: PlannedRoute,
): Promise<FoundAnswer> {
  const isPinned = request.caller.pinnedChannelId !== null
  const progress: Progress = {
    triesLeft: isPinned ? 1 : context.ctx.options().RetryTimes + 1,
    last: null,
    isFinal: false,
    full: null,
  }
  const routes: Visited[] = []
  let route: PlannedRoute | null = asked
  while (route) {
    const visited: Visited = { route, tried: null }
    const isOpen: boolean = route === asked || (await takesOver(context, request, route, progress))
    if (isOpen) {
      routes.push(visited)
      // A fallback model gets an attempt of its own, however many the first model used up.
      if (route !== asked) progress.triesLeft = Math.max(1, progress.triesLeft)
      const found = await alongRoute(context, request, visited, progress)
      if (found) return found
    }
    route = progress.isFinal ? null : await nextRoute(context, request.caller, route)
  }
  const found = await lastResort(context, request, routes, progress)
  if (found) return found
  const limited = onlyFullLeft(context, routes, progress)
  if (limited) {
    request.fault = limited.fault
    request.ask = asked.ask
    throw limited
  }
  const { last } = progress
  if (!last) throw refuse('noChannel', { model: request.ask.model, reason: 'no channel is left to try' })
  request.fault = last.fault
  // No channel answered: the log row names the model that was asked for.
  request.ask = asked.ask
  throw new RelayFault(presentable(last.fault), last.retryAfter ?? undefined)
}

/** Only channels at their limits are left: the refusal says how long to wait. */
function onlyFullLeft({ ctx, fullChannels }: RelayContext, routes: readonly Visited[], progress: Progress) {
  if (progress.isFinal || progress.triesLeft <= 0) return null
  const now = ctx.clock()
  const waiting = routes.flatMap(({ route, tried }) =>
    route.plan.candidates
      .filter(({ id, limits }) => hasLimits(limits) && !tried?.has(id))
      .flatMap((channel) => progress.full?.get(channel.id) ?? fullChannels.find(channel, now) ?? []),
  )
  return refuseForChannels(waiting, routes[0]?.route.ask.model ?? '')
}

interface Visited {
  readonly route: PlannedRoute
  /** Channels that failed. */
  tried: Set<number> | null
  /** Resting channels are tried too. */
  readonly isLastResort?: boolean
}

/** Allows resting channels when no other is left. */
async function lastResort(context: RelayContext, request: RelayedRequest, routes: Visited[], progress: Progress) {
  for (const visited of routes) {
    if (progress.isFinal || progress.triesLeft <= 0) return null
    visited.tried ??= new Set()
    const isSettled = visited.route.ask === request.ask || (await takesOver(context, request, visited.route, progress))
    const found = isSettled ? await alongRoute(context, request, { ...visited, isLastResort: true }, progress) : null
    if (found) return found
  }
  return null
}

/** Holds money at the price of another model. A refusal ends that model, not the request. */
async function takesOver(context: RelayContext, request: RelayedRequest, route: PlannedRoute, progress: Progress) {
  try {
    await moveHold(context, request, route)
    return true
  } catch (error) {
    if (!(error instanceof RelayFault)) throw error
    progress.last ??= { fault: error.fault, retryAfter: error.retryAfter ?? null }
    return false
  }
}

async function alongRoute(
  context: RelayContext,
  request: RelayedRequest,
  visited: Visited,
  progress: Progress,
): Promise<FoundAnswer | null> {
  const { route, isLastResort } = visited
  const { ctx } = context
  const { StickyMinutes } = ctx.options()
  const { candidates } = route.plan
  const conversation = StickyMinutes > 0 ? conversationOf(request.caller, route.ask) : null
  while (progress.triesLeft > 0 && !progress.isFinal) {
    const now = ctx.clock()
    const preferred = conversation && context.conversations.find(conversation, StickyMinutes * 60_000, now)
    const present = conditionsNow(context, route.ask.model, preferred)
    const wanting = isLastResort ? asLastResort(present) : present
    const conditions = progress.full ? passingOver(wanting, progress.full) : wanting
    if (request.tried.length === 0) request.candidates = candidatesText(route.table, candidates, present, request)
    const first = firstAmong(candidates, conditions, visited.tried ?? undefined)
    const channel = drawFrom(first, conversation ? () => conversation.point : Math.random)
    if (!channel) return null
    const entering = countAttempt(context, request, channel)
    const refused = entering instanceof Promise ? await entering : entering
    if (refused) {
      progress.full ??= new Map()
      progress.full.set(channel.id, refused)
      continue
    }
    request.tried.push(channel.id)
    progress.triesLeft -= 1
    const through = beginAttempt(context, request.ask, route.plan, channel)
    const outcome = concludeAttempt(context, request, through, await attemptThrough(context, request, through))
    if ('found' in outcome) {
      if (conversation) context.conversations.answered(conversation, channel.id, now)
      return outcome.found
    }
    visited.tried ??= new Set()
    visited.tried.add(channel.id)
    progress.last = outcome.failure
    progress.isFinal = outcome.final
  }
  return null
}
