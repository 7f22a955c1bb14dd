import { type Route, route } from '#server/http/mount.ts'
import { usageApi } from '#shared/api/usage.ts'
import { series } from './series.ts'
import { statement, statementFile } from './statement.service.ts'
import { summary, table } from './usage.service.ts'
import { warnings } from './warnings.ts'

export const usageRoutes: readonly Route[] = [
  route(usageApi.warnings, ({ ctx, actor, input }) => warnings(ctx, actor, input)),
  route(usageApi.summary, ({ ctx, actor, input }) => summary(ctx, actor, input)),
  route(usageApi.series, ({ ctx, actor, input }) => series(ctx, actor, input)),
  route(usageApi.statement, async ({ ctx, actor, input }) => {
    const found = await statement(ctx, actor, input)
    return input.format === 'csv' ? statementFile(found) : found
  }),
  route(usageApi.table, ({ ctx, actor, input }) => table(ctx, actor, input)),
]
