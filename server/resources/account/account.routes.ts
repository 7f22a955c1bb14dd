import { type Route, route } from '#server/http/mount.ts'
import { accountApi } from '#shared/api/account.ts'
import { affiliateCode, getSelf, removeSelf, renewAccessToken, updateSelf } from './account.service.ts'

export const accountRoutes: Route[] = [
  route(accountApi.self, getSelf),
  route(accountApi.update, updateSelf),
  route(accountApi.remove, removeSelf),
  route(accountApi.accessToken, renewAccessToken),
  route(accountApi.affiliateCode, affiliateCode),
]
