import { type PriceList, p, yuan } from '#server/providers/list-price.ts'

/** Tencent, yuan per million tokens. */
// biome-ignore format: one line per model
export const tencentPrices = {
  'hy3-preview': p(0.063, 0.21, { cacheRead: 0.021 }),
  'hunyuan-role-latest': yuan(4),
  'hunyuan-turbo': yuan(15),
  'hunyuan-large': yuan(4),
  'hunyuan-large-longcontext': yuan(6),
  'hunyuan-pro': yuan(30, 100),
  'hunyuan-standard': yuan(0.8),
  'hunyuan-standard-256K': yuan(0.5),
  'hunyuan-lite': p(0, 0),
  'hunyuan-role': yuan(4),
  'hunyuan-functioncall': yuan(4),
  'hunyuan-code': yuan(4),
  'hunyuan-translation-lite': yuan(5),
  'hunyuan-turbo-vision': yuan(80),
  'hunyuan-vision': yuan(18),
  'hunyuan-embedding': yuan(0.7, 0),
  'hunyuan': yuan(100),
  'ChatPro': yuan(100),
  'ChatStd': yuan(10),
} satisfies PriceList
