import { type PriceList, p } from '#server/providers/list-price.ts'

/** DeepSeek, USD per million tokens; where prices change with the hour, those of the busy hours. */
// biome-ignore format: one line per model
export const deepSeekPrices = {
  'deepseek-flash': p(0.3, 1.2, { cacheRead: 0.006 }),
  'deepseek-v4-pro': p(1.32, 3.96, { cacheRead: 0.044 }),
  'deepseek-chat': p(0.28, 0.42, { cacheRead: 0.028 }),
  'deepseek-coder': p(0.14, 0.28),
  'deepseek-r1': p(0.55, 2.19),
  'deepseek-reasoner': p(0.28, 0.42, { cacheRead: 0.028 }),
  'deepseek-v3': p(0.27, 1.1, { cacheRead: 0.07 }),
  'deepseek-v3.2': p(0.28, 0.4),
  'deepseek-v4-flash': p(0.14, 0.28, { cacheRead: 0.0028 }),
} satisfies PriceList
