import { type PriceList, p } from '#server/providers/list-price.ts'

/** Cloudflare Workers AI, USD per million tokens. */
export const cloudflarePrices = {
  '@cf/openai/gpt-oss-120b': p(0.35, 0.75),
  '@cf/mistral/mistral-7b-instruct-v0.1': p(1.923, 1.923),
} satisfies PriceList
