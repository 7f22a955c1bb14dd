import { type Route, route } from '#server/http/mount.ts'
import { statusApi } from '#shared/api/status.ts'
import { modelsByChannelType } from '#shared/channel-types.ts'
import { attention } from './attention.ts'
import { firstSteps } from './first-steps.ts'
import { groupNames, latestRelease, publicStatus } from './status.service.ts'

export const statusRoutes: readonly Route[] = [
  route(statusApi.status, ({ ctx }) => publicStatus(ctx)),
  route(statusApi.firstSteps, ({ ctx }) => firstSteps(ctx)),
  route(statusApi.attention, ({ ctx }) => attention(ctx)),
  route(statusApi.notice, ({ ctx }) => ctx.options().Notice),
  route(statusApi.about, ({ ctx }) => ctx.options().About),
  route(statusApi.home, ({ ctx }) => ctx.options().HomePageContent),
  route(statusApi.models, () => modelsByChannelType),
  route(statusApi.groups, ({ ctx }) => groupNames(ctx)),
  route(statusApi.release, ({ ctx }) => latestRelease(ctx)),
]
