import { type PriceList, yuan } from '#server/providers/list-price.ts'

/** 360, yuan per million tokens. */
// biome-ignore format: one line per model
export const zhinaoPrices = {
  '360gpt2-pro': yuan(12),
  '360gpt-pro': yuan(12),
  '360gpt-turbo-responsibility-8k': yuan(12),
  '360gpt-turbo': yuan(1.2),
  '360GPT_S2_V9': yuan(12),
  'embedding-bert-512-v1': yuan(1, 0),
  'embedding_s1_v1': yuan(1, 0),
  'semantic_similarity_s1_v1': yuan(1, 0),
} satisfies PriceList
