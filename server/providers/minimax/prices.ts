import { over, type PriceList, p, perCharacters, perPicture, yuan } from '#server/providers/list-price.ts'

/** MiniMax, USD per million tokens, yuan for the older names. */
// biome-ignore format: one line per model
export const miniMaxPrices = {
  'MiniMax-M3': p(0.3, 1.2, { cacheRead: 0.06, tiers: [over(512_000, 0.6, 2.4, { cacheRead: 0.12 })] }),
  'MiniMax-M2.7': p(0.3, 1.2, { cacheRead: 0.06 }),
  'MiniMax-M2.7-highspeed': p(0.6, 2.4, { cacheRead: 0.06 }),
  'MiniMax-M2.5-highspeed': p(0.6, 2.4, { cacheRead: 0.03 }),
  'MiniMax-M2.1': p(0.3, 1.2, { cacheRead: 0.03, cacheWrite: 0.375 }),
  'MiniMax-M2.1-lightning': p(0.3, 2.4, { cacheRead: 0.03, cacheWrite: 0.375 }),
  'MiniMax-M2.5': p(0.3, 1.2, { cacheRead: 0.03, cacheWrite: 0.375 }),
  'MiniMax-M2.5-lightning': p(0.3, 2.4, { cacheRead: 0.03, cacheWrite: 0.375 }),
  'MiniMax-M2': p(0.3, 1.2, { cacheRead: 0.03, cacheWrite: 0.375 }),
  'speech-02-hd': perCharacters(100),
  'speech-02-turbo': perCharacters(60),
  'speech-2.6-hd': perCharacters(100),
  'speech-2.6-turbo': perCharacters(60),
  'MiniMax-Text-01': p(0.2, 1.1),
  'MiniMax-VL-01': p(0.2, 1.1),
  'abab6.5-chat': yuan(30),
  'abab6.5s-chat': yuan(10),
  'abab6-chat': yuan(100),
  'abab5.5-chat': yuan(15),
  'abab5.5s-chat': yuan(5),
  'image-01': perPicture({ '1024x1024': 0.0035 }),
} satisfies PriceList
