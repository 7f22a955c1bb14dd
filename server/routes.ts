import { configRoutes } from '#server/config-file/config.routes.ts'
import type { Route } from '#server/http/mount.ts'
import { accountRoutes } from '#server/resources/account/account.routes.ts'
import { authRoutes } from '#server/resources/auth/auth.routes.ts'
import { channelRoutes } from '#server/resources/channels/channels.routes.ts'
import { historyRoutes } from '#server/resources/history/history.routes.ts'
import { identityRoutes } from '#server/resources/identity/identity.routes.ts'
import { logRoutes } from '#server/resources/logs/logs.routes.ts'
import { oidcRoutes } from '#server/resources/oidc/oidc.routes.ts'
import { optionRoutes } from '#server/resources/options/options.routes.ts'
import { priceRoutes } from '#server/resources/prices/prices.routes.ts'
import { redemptionRoutes } from '#server/resources/redemptions/redemptions.routes.ts'
import { statusRoutes } from '#server/resources/status/status.routes.ts'
import { teamRoutes } from '#server/resources/teams/teams.routes.ts'
import { tokenRoutes } from '#server/resources/tokens/tokens.routes.ts'
import { usageRoutes } from '#server/resources/usage/usage.routes.ts'
import { userRoutes } from '#server/resources/users/users.routes.ts'
import { restorers } from './restorers.ts'

/** Every console route, by resource. Adding a resource is one line. */
export const consoleRoutes: readonly Route[] = [
  ...accountRoutes,
  ...authRoutes,
  ...channelRoutes,
  ...configRoutes,
  ...historyRoutes(restorers),
  ...identityRoutes,
  ...logRoutes,
  ...oidcRoutes,
  ...optionRoutes,
  ...priceRoutes,
  ...redemptionRoutes,
  ...statusRoutes,
  ...teamRoutes,
  ...tokenRoutes,
  ...usageRoutes,
  ...userRoutes,
]
