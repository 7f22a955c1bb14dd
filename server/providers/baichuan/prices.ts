import { type PriceList, yuan } from '#server/providers/list-price.ts'

/** Baichuan, yuan per million tokens. */
// biome-ignore format: one line per model
export const baichuanPrices = {
  'Baichuan-M3': yuan(10, 30),
  'Baichuan-M2': yuan(2, 20),
  'Baichuan4-Turbo': yuan(15),
  'Baichuan4-Air': yuan(0.98),
  'Baichuan4': yuan(100),
  'Baichuan3-Turbo': yuan(12),
  'Baichuan3-Turbo-128k': yuan(24),
  'Baichuan2-Turbo': yuan(8),
  'Baichuan2-Turbo-192k': yuan(16),
  'Baichuan2-53B': yuan(20),
  'Baichuan-Text-Embedding': yuan(0.5, 0),
} satisfies PriceList
