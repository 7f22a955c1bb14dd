import { type Route, route } from '#server/http/mount.ts'
import { usersApi } from '#shared/api/users.ts'
import { manageUser } from './manage.service.ts'
import { changeUsers, removeUsers } from './user-batch.ts'
import { changeUser, createUser, getUser, userPage } from './users.service.ts'

export const userRoutes: Route[] = [
  route(usersApi.list, ({ ctx, actor, input }) => userPage(ctx, { ...input, keyword: '', roleMax: actor.role })),
  route(usersApi.search, ({ ctx, actor, input }) => userPage(ctx, { ...input, roleMax: actor.role })),
  route(usersApi.batch, changeUsers),
  route(usersApi.removeBatch, removeUsers),
  route(usersApi.manage, manageUser),
  route(usersApi.get, getUser),
  route(usersApi.create, createUser),
  route(usersApi.update, changeUser),
]
