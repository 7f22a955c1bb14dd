import { type Route, route } from '#server/http/mount.ts'
import { logsApi } from '#shared/api/logs.ts'
import { withActorNames } from './actor-names.ts'
import { exportLog } from './log-export.ts'
import { clearLogs, logPage, logStat, ownLogPage, ownSelection, selectionForAdmin } from './logs.service.ts'
import { requestDetail } from './request-detail.ts'

export const logRoutes: readonly Route[] = [
  route(logsApi.list, async ({ ctx, input }) => {
    const page = await logPage(ctx, await selectionForAdmin(ctx, input), input)
    return withActorNames(ctx.database.db, page)
  }),
  route(logsApi.stat, async ({ ctx, input }) => logStat(ctx, await selectionForAdmin(ctx, input))),
  route(logsApi.own, async ({ ctx, actor, input }) => {
    const page = await ownLogPage(ctx, await ownSelection(ctx, actor, input), input)
    return withActorNames(ctx.database.db, page)
  }),
  route(logsApi.ownStat, async ({ ctx, actor, input }) => logStat(ctx, await ownSelection(ctx, actor, input))),
  route(logsApi.export, async ({ ctx, input }) =>
    exportLog(ctx, await selectionForAdmin(ctx, input), input.format, 'everything'),
  ),
  route(logsApi.ownExport, async ({ ctx, actor, input }) =>
    exportLog(ctx, await ownSelection(ctx, actor, input), input.format, 'own'),
  ),
  route(logsApi.request, ({ ctx, actor, input }) => requestDetail(ctx, actor, input.request_id)),
  route(logsApi.clear, ({ ctx, actor, input }) => clearLogs(ctx, actor, input.target_timestamp)),
]
