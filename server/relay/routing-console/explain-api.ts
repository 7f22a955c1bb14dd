import type { z } from 'zod'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type ApiDecision, chooseFor } from '#server/relay/routing/api/choose-api.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import type { RouteCandidate, routingApi } from '#shared/api/routing.ts'
import { apiReasons } from '#shared/api-reasons.ts'

type Wish = Pick<z.output<typeof routingApi.explain.input>, 'model' | 'needs' | 'effort'>

/** By which of OpenAI's APIs a client of another format would be served, by the very function the relay asks. */
export function explainApi({ ctx, apiFindings }: RelayContext, channel: RoutedChannel, wish: Wish): ApiDecision {
  const model = channel.mapping.get(wish.model) ?? wish.model
  const finding = apiFindings.find({ channelId: channel.id, model }, ctx.clock())
  const hasTools = wish.needs?.includes('tools') === true
  const wishes = { hasTools, effort: wish.effort ?? null, lacked: null, isUltrafast: false }
  return chooseFor(channel, model, finding, () => wishes)
}

export function apiOf(decision: ApiDecision | undefined): Pick<RouteCandidate, 'api' | 'api_reason'> {
  const choice = decision && 'api' in decision ? decision.api : null
  return choice ? { api: choice.name, api_reason: apiReasons[choice.reason] } : { api: null, api_reason: '' }
}
