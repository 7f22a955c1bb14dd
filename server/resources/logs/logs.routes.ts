import { inReportTurn } from '#server/db/logs/report-turns.ts'
import { type Route, route } from '#server/http/mount.ts'
import { logsApi } from '#shared/api/logs.ts'
import { withActorNames } from './actor-names.ts'
import { exportLog } from './log-export.ts'
import { clearLogs, logPage, logStat, ownLogPage, ownSelection, selectionForAdmin } from './logs.service.ts'
import { requestDetail } from './request-detail.ts'

export const logRoutes: readonly Route[] = [
  route(logsApi.list, async ({ ctx, actor, input }) => {
    const selection = await selectionForAdmin(ctx, input)
    const page = await inReportTurn(ctx.nodeId, actor.id, () => logPage(ctx, selection, input))
    return withActorNames(ctx.database.db, page)
  }),
  route(logsApi.stat, async ({ ctx, actor, input }) => {
    const selection = await selectionForAdmin(ctx, input)
    return inReportTurn(ctx.nodeId, actor.id, () => logStat(ctx, selection))
  }),
  route(logsApi.own, async ({ ctx, actor, input }) => {
    const selection = await ownSelection(ctx, actor, input)
    const page = await inReportTurn(ctx.nodeId, actor.id, () => ownLogPage(ctx, selection, input))
    return withActorNames(ctx.database.db, page)
  }),
  route(logsApi.ownStat, async ({ ctx, actor, input }) => {
    const selection = await ownSelection(ctx, actor, input)
    return inReportTurn(ctx.nodeId, actor.id, () => logStat(ctx, selection))
  }),
  route(logsApi.export, async ({ ctx, input }) =>
    exportLog(ctx, await selectionForAdmin(ctx, input), input.format, 'everything'),
  ),
  route(logsApi.ownExport, async ({ ctx, actor, input }) =>
    exportLog(ctx, await ownSelection(ctx, actor, input), input.format, 'own'),
  ),
  route(logsApi.request, ({ ctx, actor, input }) => requestDetail(ctx, actor, input.request_id)),
  route(logsApi.clear, ({ ctx, actor, input }) => clearLogs(ctx, actor, input.target_timestamp)),
]
