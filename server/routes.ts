import type { Route } from '#server/http/mount.ts'

/** Every console route, by resource. Adding a resource is one line. */
export const consoleRoutes: readonly Route[] = []
