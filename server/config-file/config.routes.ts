import { type Route, route } from '#server/http/mount.ts'
import { configApi } from '#shared/api/config.ts'
import { applyFile } from './apply.ts'
import { exportFile, planSteps, presentSteps } from './plan.ts'

export const configRoutes: readonly Route[] = [
  route(configApi.export, async ({ ctx }) => ({ file: await exportFile(ctx) })),
  route(configApi.plan, async ({ ctx, input }) => ({
    changes: presentSteps(await planSteps(ctx, ctx.database.db, input)),
  })),
  route(configApi.apply, async ({ ctx, actor, input }) => ({ changes: await applyFile(ctx, actor, input) })),
]
