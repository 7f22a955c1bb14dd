import { type Route, route } from '#server/http/mount.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { api } from '#shared/api/all.ts'
import { applyRouting } from './apply.ts'
import { cataloguePage } from './catalogue.ts'
import { explainRoute } from './explain.ts'
import { restingChannels } from './resting.ts'
import { ownRunningRequests, runningRequests } from './running.ts'
import { simulateRouting } from './simulate.ts'
import { channelTroubles } from './troubles.ts'

/** What the console asks of the relay's own decisions. */
export const routingConsoleRoutes = (context: RelayContext): Route[] => [
  route(api.routing.resting, () => restingChannels(context)),
  route(api.routing.troubles, ({ ctx, input }) => channelTroubles(ctx, input.from)),
  route(api.routing.explain, ({ input }) => explainRoute(context, input)),
  route(api.routing.simulate, ({ input }) => simulateRouting(context, input)),
  route(api.routing.apply, ({ ctx, actor, input }) => applyRouting(ctx, actor, input)),
  route(api.logs.running, ({ input }) => runningRequests(context, input)),
  route(api.logs.ownRunning, ({ actor, input }) => ownRunningRequests(context, actor, input)),
  route(api.models.list, ({ actor, input }) => cataloguePage(context, actor, input)),
]
