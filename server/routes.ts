import type { Route } from '#server/http/mount.ts'
import { statusRoutes } from '#server/resources/status/status.routes.ts'
import { tokenRoutes } from '#server/resources/tokens/tokens.routes.ts'

/** Every console route, by resource. Adding a resource is one line. */
export const consoleRoutes: readonly Route[] = [...statusRoutes, ...tokenRoutes]
