import { type Route, route } from '#server/http/mount.ts'
import { logsApi } from '#shared/api/logs.ts'
import { clearLogs, logPage, logStat, ownLogPage, ownSelection, selectionForAdmin } from './logs.service.ts'

export const logRoutes: readonly Route[] = [
  route(logsApi.list, async ({ ctx, input }) => logPage(ctx, await selectionForAdmin(ctx, input), input)),
  route(logsApi.stat, async ({ ctx, input }) => logStat(ctx, await selectionForAdmin(ctx, input))),
  route(logsApi.own, ({ ctx, actor, input }) => ownLogPage(ctx, ownSelection(actor, input), input)),
  route(logsApi.ownStat, ({ ctx, actor, input }) => logStat(ctx, ownSelection(actor, input))),
  route(logsApi.clear, ({ ctx, actor, input }) => clearLogs(ctx, actor, input.target_timestamp)),
]
