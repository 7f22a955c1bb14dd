import { type PriceList, p } from '#server/providers/list-price.ts'

/** Models that run on hardware of one's own have no price list: they are free until a ratio is stored for them. */
// biome-ignore format: one line per model
export const ollamaPrices = {
  'gpt-oss:20b': p(0, 0),
  'gpt-oss:120b': p(0, 0),
  'qwen3:8b': p(0, 0),
  'llama3.3:latest': p(0, 0),
  'llama3:latest': p(0, 0),
  'phi3:latest': p(0, 0),
  'codellama:7b-instruct': p(0, 0),
  'llama2:latest': p(0, 0),
  'llama2:7b': p(0, 0),
  'qwen:7b': p(0, 0),
  'qwen:0.5b-chat': p(0, 0),
} satisfies PriceList
