import { type Route, route } from '#server/http/mount.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { endGrace, rotateKey } from './rotate.service.ts'
import { changeTokens, removeTokens } from './token-batch.ts'
import { changeToken, createToken, getToken, removeToken, tokenPage } from './tokens.service.ts'

export const tokenRoutes: readonly Route[] = [
  route(tokensApi.list, ({ ctx, actor, input }) => tokenPage(ctx, actor, { ...input, keyword: '' })),
  route(tokensApi.search, ({ ctx, actor, input }) => tokenPage(ctx, actor, input)),
  route(tokensApi.get, ({ ctx, actor, input }) => getToken(ctx, actor, input.id)),
  route(tokensApi.create, ({ ctx, actor, input }) => createToken(ctx, actor, input)),
  route(tokensApi.update, ({ ctx, actor, input }) => changeToken(ctx, actor, input)),
  route(tokensApi.rotate, rotateKey),
  route(tokensApi.endGrace, endGrace),
  route(tokensApi.batch, ({ ctx, actor, input }) => changeTokens(ctx, actor, input)),
  route(tokensApi.removeBatch, ({ ctx, actor, input }) => removeTokens(ctx, actor, input.ids)),
  route(tokensApi.remove, ({ ctx, actor, input }) => removeToken(ctx, actor, input.id)),
]
