import { type PriceList, p } from '#server/providers/list-price.ts'

/** Moonshot, USD per million tokens. */
// biome-ignore format: one line per model
export const moonshotPrices = {
  'kimi-k3.1-pro': p(2, 10, { cacheRead: 0.2 }),
  'kimi-k3.1-pro-highspeed': p(4, 20, { cacheRead: 0.2 }),
  'kimi-k3': p(3, 15, { cacheRead: 0.3 }),
  'kimi-k2.7-code': p(0.95, 4, { cacheRead: 0.19 }),
  'kimi-k2.7-code-highspeed': p(1.9, 8, { cacheRead: 0.38 }),
  'kimi-k2-0711-preview': p(0.6, 2.5, { cacheRead: 0.15 }),
  'kimi-k2-0905-preview': p(0.6, 2.5, { cacheRead: 0.15 }),
  'kimi-k2-turbo-preview': p(1.15, 8, { cacheRead: 0.15 }),
  'kimi-k2.5': p(0.6, 3, { cacheRead: 0.1 }),
  'kimi-k2.6': p(0.95, 4, { cacheRead: 0.16 }),
  'kimi-latest': p(2, 5, { cacheRead: 0.15 }),
  'kimi-latest-128k': p(2, 5, { cacheRead: 0.15 }),
  'kimi-latest-32k': p(1, 3, { cacheRead: 0.15 }),
  'kimi-latest-8k': p(0.2, 2, { cacheRead: 0.15 }),
  'kimi-thinking-preview': p(0.6, 2.5, { cacheRead: 0.15 }),
  'kimi-k2-thinking': p(0.6, 2.5, { cacheRead: 0.15 }),
  'kimi-k2-thinking-turbo': p(1.15, 8, { cacheRead: 0.15 }),
  'moonshot-v1-128k': p(2, 5),
  'moonshot-v1-128k-0430': p(2, 5),
  'moonshot-v1-128k-vision-preview': p(2, 5),
  'moonshot-v1-32k': p(1, 3),
  'moonshot-v1-32k-0430': p(1, 3),
  'moonshot-v1-32k-vision-preview': p(1, 3),
  'moonshot-v1-8k': p(0.2, 2),
  'moonshot-v1-8k-0430': p(0.2, 2),
  'moonshot-v1-8k-vision-preview': p(0.2, 2),
  'moonshot-v1-auto': p(2, 5),
} satisfies PriceList
