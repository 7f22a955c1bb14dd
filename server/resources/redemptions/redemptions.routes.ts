import { redeemCode } from '#server/accounts/redeem-code.ts'
import { type Route, route } from '#server/http/mount.ts'
import { accountApi } from '#shared/api/account.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { changeRedemptions, removeRedemptions } from './redemption-batch.ts'
import {
  changeRedemption,
  createRedemptions,
  getRedemption,
  redemptionPage,
  removeRedemption,
} from './redemptions.service.ts'

export const redemptionRoutes: readonly Route[] = [
  route(redemptionsApi.list, ({ ctx, input }) => redemptionPage(ctx, { ...input, keyword: '' })),
  route(redemptionsApi.search, ({ ctx, input }) => redemptionPage(ctx, input)),
  route(redemptionsApi.get, ({ ctx, input }) => getRedemption(ctx, input.id)),
  route(redemptionsApi.create, ({ ctx, actor, input }) => createRedemptions(ctx, actor, input)),
  route(redemptionsApi.update, ({ ctx, actor, input }) => changeRedemption(ctx, actor, input)),
  route(redemptionsApi.batch, ({ ctx, actor, input }) => changeRedemptions(ctx, actor, input)),
  route(redemptionsApi.removeBatch, ({ ctx, actor, input }) => removeRedemptions(ctx, actor, input.ids)),
  route(redemptionsApi.remove, ({ ctx, actor, input }) => removeRedemption(ctx, actor, input.id)),
  route(accountApi.topUp, (call) => redeemCode(call)),
]
