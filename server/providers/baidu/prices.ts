import { type PriceList, yuan } from '#server/providers/list-price.ts'

/** Baidu, yuan per million tokens. */
// biome-ignore format: one line per model
export const baiduPrices = {
  'ernie-4.5-turbo-128k': yuan(0.8, 3.2),
  'ernie-x1-turbo-32k': yuan(1, 4),
  'ernie-speed-pro-128k': yuan(0.3, 0.6),
  'ernie-lite-pro-128k': yuan(0.2, 0.4),
  'ERNIE-4.0-8K': yuan(120),
  'ERNIE-4.0': yuan(120),
  'ERNIE-Bot-4': yuan(120),
  'ERNIE-3.5-8K': yuan(12),
  'ERNIE-3.5-8K-0205': yuan(24),
  'ERNIE-3.5-8K-1222': yuan(12),
  'ERNIE-3.5-4K-0205': yuan(12),
  'ERNIE-Bot-8K': yuan(24, 48),
  'ERNIE-Bot': yuan(12),
  'ERNIE-Bot-turbo': yuan(8),
  'ERNIE-Speed': yuan(4),
  'ERNIE-Speed-8K': yuan(4),
  'ERNIE-Speed-128K': yuan(4),
  'ERNIE-Lite-8K-0922': yuan(8),
  'ERNIE-Lite-8K-0308': yuan(3),
  'ERNIE-Tiny-8K': yuan(1),
  'BLOOMZ-7B': yuan(4),
  'Embedding-V1': yuan(2, 0),
  'bge-large-zh': yuan(2, 0),
  'bge-large-en': yuan(2, 0),
  'tao-8k': yuan(2, 0),
} satisfies PriceList
