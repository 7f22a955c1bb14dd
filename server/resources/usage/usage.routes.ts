import { inReportTurn } from '#server/db/logs/report-turns.ts'
import { type Route, route } from '#server/http/mount.ts'
import { usageApi } from '#shared/api/usage.ts'
import { series } from './series.ts'
import { statement, statementFile } from './statement.service.ts'
import { summary, table } from './usage.service.ts'
import { warnings } from './warnings.ts'

export const usageRoutes: readonly Route[] = [
  route(usageApi.warnings, ({ ctx, actor, input }) =>
    inReportTurn(ctx.nodeId, actor.id, () => warnings(ctx, actor, input)),
  ),
  route(usageApi.summary, ({ ctx, actor, input }) =>
    inReportTurn(ctx.nodeId, actor.id, () => summary(ctx, actor, input)),
  ),
  route(usageApi.series, ({ ctx, actor, input }) =>
    inReportTurn(ctx.nodeId, actor.id, () => series(ctx, actor, input)),
  ),
  route(usageApi.statement, async ({ ctx, actor, input }) => {
    const found = await inReportTurn(ctx.nodeId, actor.id, () => statement(ctx, actor, input))
    return input.format === 'csv' ? statementFile(found) : found
  }),
  route(usageApi.table, ({ ctx, actor, input }) => inReportTurn(ctx.nodeId, actor.id, () => table(ctx, actor, input))),
]
