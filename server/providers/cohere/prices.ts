import { type PriceList, p } from '#server/providers/list-price.ts'

/** Cohere, USD per million tokens. */
export const coherePrices = {
  'command-a-03-2025': p(2.5, 10),
  'command-r-plus-08-2024': p(2.5, 10),
  'command-r-08-2024': p(0.15, 0.6),
  'command-r7b-12-2024': p(0.0375, 0.15),
  'embed-v4.0': p(0.12, 0),
  'embed-english-v3.0': p(0.1, 0),
  'embed-multilingual-v3.0': p(0.1, 0),
} satisfies PriceList
