import { type PriceList, p } from '#server/providers/list-price.ts'

/** Perplexity, USD per million tokens. */
export const perplexityPrices = {
  sonar: p(1, 1),
  'sonar-pro': p(3, 15),
  'sonar-reasoning': p(1, 5),
  'sonar-reasoning-pro': p(2, 8),
  'sonar-deep-research': p(2, 8, { reasoning: 3 }),
} satisfies PriceList
