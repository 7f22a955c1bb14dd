import type { ListPrice } from './list-price.ts'
import { alibabaPrices } from './prices/alibaba.ts'
import { anthropicPrices } from './prices/anthropic.ts'
import { baichuanPrices } from './prices/baichuan.ts'
import { baiduPrices } from './prices/baidu.ts'
import { deepSeekPrices } from './prices/deepseek.ts'
import { googlePrices } from './prices/google.ts'
import { groqPrices } from './prices/groq.ts'
import { lingyiWanwuPrices } from './prices/lingyiwanwu.ts'
import { miniMaxPrices } from './prices/minimax.ts'
import { mistralPrices } from './prices/mistral.ts'
import { moonshotPrices } from './prices/moonshot.ts'
import { ollamaPrices } from './prices/ollama.ts'
import { openAiPrices } from './prices/openai.ts'
import { openRouterPrices } from './prices/openrouter.ts'
import { sparkPrices } from './prices/spark.ts'
import { tencentPrices } from './prices/tencent.ts'
import { xAiPrices } from './prices/xai.ts'
import { zhinaoPrices } from './prices/zhinao.ts'
import { zhipuPrices } from './prices/zhipu.ts'

/** The day the lists were compiled. Newest models carry prices of that autumn, the others those of August 2026 or their last known ones. */
export const pricesAsOf = '2026-11-15'

export const priceLists = [
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
