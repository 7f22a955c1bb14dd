import { anthropicPrices } from '#server/providers/anthropic/prices.ts'
import { baichuanPrices } from '#server/providers/baichuan/prices.ts'
import { baiduPrices } from '#server/providers/baidu/prices.ts'
import { bedrockPrices } from '#server/providers/bedrock/prices.ts'
import { cloudflarePrices } from '#server/providers/cloudflare/prices.ts'
import { coherePrices } from '#server/providers/cohere/prices.ts'
import { alibabaPrices } from '#server/providers/dashscope/prices.ts'
import { deepSeekPrices } from '#server/providers/deepseek/prices.ts'
import { googlePrices } from '#server/providers/gemini/prices.ts'
import { groqPrices } from '#server/providers/groq/prices.ts'
import { lingyiWanwuPrices } from '#server/providers/lingyi-wanwu/prices.ts'
import type { ListPrice } from '#server/providers/list-price.ts'
import { miniMaxPrices } from '#server/providers/minimax/prices.ts'
import { mistralPrices } from '#server/providers/mistral/prices.ts'
import { moonshotPrices } from '#server/providers/moonshot/prices.ts'
import { ollamaPrices } from '#server/providers/ollama/prices.ts'
import { openAiPrices } from '#server/providers/openai/prices.ts'
import { openRouterPrices } from '#server/providers/openrouter/prices.ts'
import { perplexityPrices } from '#server/providers/perplexity/prices.ts'
import { sparkPrices } from '#server/providers/spark/prices.ts'
import { tencentPrices } from '#server/providers/tencent/prices.ts'
import { xAiPrices } from '#server/providers/xai/prices.ts'
import { zhinaoPrices } from '#server/providers/zhinao/prices.ts'
import { zhipuPrices } from '#server/providers/zhipu/prices.ts'

/** The day the lists were compiled. Newest models carry prices of that autumn, the others those of August 2026 or their last known ones. */
export const pricesAsOf = '2026-11-15'

export const priceLists = [
  perplexityPrices,
  coherePrices,
  cloudflarePrices,
  bedrockPrices,
  alibabaPrices,
  anthropicPrices,
  baichuanPrices,
  baiduPrices,
  deepSeekPrices,
  googlePrices,
  groqPrices,
  lingyiWanwuPrices,
  miniMaxPrices,
  mistralPrices,
  moonshotPrices,
  ollamaPrices,
  openAiPrices,
  openRouterPrices,
  sparkPrices,
  tencentPrices,
  xAiPrices,
  zhinaoPrices,
  zhipuPrices,
]

/** Model name → public price. */
export const defaultPrices: ReadonlyMap<string, ListPrice> = new Map(
  priceLists.flatMap((list): [string, ListPrice][] => Object.entries(list)),
)
