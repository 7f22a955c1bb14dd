import { type Route, route } from '#server/http/mount.ts'
import { usageApi } from '#shared/api/usage.ts'
import { series, summary, table } from './usage.service.ts'

export const usageRoutes: readonly Route[] = [
  route(usageApi.summary, ({ ctx, actor, input }) => summary(ctx, actor, input)),
  route(usageApi.series, ({ ctx, actor, input }) => series(ctx, actor, input)),
  route(usageApi.table, ({ ctx, actor, input }) => table(ctx, actor, input)),
]
