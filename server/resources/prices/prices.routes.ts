import { type Route, route } from '#server/http/mount.ts'
import { pricesApi } from '#shared/api/prices.ts'
import { pricePage } from './price-rows.ts'
import { applyPreview, previewPrices } from './price-sync.ts'
import { removePrice, setPrice } from './prices.service.ts'

export const priceRoutes: readonly Route[] = [
  route(pricesApi.list, ({ ctx, input }) => pricePage(ctx, input)),
  route(pricesApi.set, ({ ctx, actor, input }) => setPrice(ctx, actor, input)),
  route(pricesApi.preview, ({ ctx, input }) => previewPrices(ctx, input)),
  route(pricesApi.apply, ({ ctx, actor, input }) => applyPreview(ctx, actor, input)),
  route(pricesApi.remove, ({ ctx, actor, input }) => removePrice(ctx, actor, input.model)),
]
