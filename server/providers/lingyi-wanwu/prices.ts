import { type PriceList, yuan } from '#server/providers/list-price.ts'

/** 01.AI, yuan per million tokens. */
// biome-ignore format: one line per model
export const lingyiWanwuPrices = {
  'yi-lightning': yuan(0.99),
  'yi-large': yuan(20),
  'yi-large-turbo': yuan(12),
  'yi-medium': yuan(2.5),
  'yi-vision-v2': yuan(6),
  'yi-34b-chat-0205': yuan(2.5),
  'yi-34b-chat-200k': yuan(12),
  'yi-vl-plus': yuan(6),
} satisfies PriceList
