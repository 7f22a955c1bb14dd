import { type Route, route } from '#server/http/mount.ts'
import { usersApi } from '#shared/api/users.ts'
import { manageUser } from './manage.service.ts'
import { changeUser, createUser, getUser, userPage } from './users.service.ts'

export const userRoutes: Route[] = [
  route(usersApi.list, ({ ctx, input }) => userPage(ctx, { ...input, keyword: '' })),
  route(usersApi.search, ({ ctx, input }) => userPage(ctx, input)),
  route(usersApi.manage, manageUser),
  route(usersApi.get, getUser),
  route(usersApi.create, createUser),
  route(usersApi.update, changeUser),
]
