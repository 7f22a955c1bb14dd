import { type Route, route } from '#server/http/mount.ts'
import { authApi } from '#shared/api/auth.ts'
import { finishOidc, startOidc } from './oidc.service.ts'

export const oidcRoutes: readonly Route[] = [
  route(authApi.oidcStart, startOidc),
  route(authApi.oidcBind, startOidc),
  route(authApi.oidc, finishOidc),
]
