import { type Route, route } from '#server/http/mount.ts'
import { authApi } from '#shared/api/auth.ts'
import { logIn, logOut } from './login.service.ts'

export const authRoutes: Route[] = [route(authApi.login, logIn), route(authApi.logout, logOut)]
