import { channelTypeIds } from '#shared/channel-types.ts'
import { aiproxyLibrary } from './aiproxy-library/provider.ts'
import { anthropic } from './anthropic/provider.ts'
import { ark } from './ark/provider.ts'
import { azure } from './azure/provider.ts'
import { baichuan } from './baichuan/provider.ts'
import { baidu } from './baidu/provider.ts'
import { bedrock } from './bedrock/provider.ts'
import { cloudflare } from './cloudflare/provider.ts'
import { cohere } from './cohere/provider.ts'
import { custom } from './custom/provider.ts'
import { dashscope } from './dashscope/provider.ts'
import { deepseek } from './deepseek/provider.ts'
import { fastgpt } from './fastgpt/provider.ts'
import { gemini } from './gemini/provider.ts'
import { groq } from './groq/provider.ts'
import { lingyiWanwu } from './lingyi-wanwu/provider.ts'
import { minimax } from './minimax/provider.ts'
import { mistral } from './mistral/provider.ts'
import { moonshot } from './moonshot/provider.ts'
import { ollama } from './ollama/provider.ts'
import { openai } from './openai/provider.ts'
import { openaiFamily } from './openai-family.ts'
import { openrouter } from './openrouter/provider.ts'
import { palm } from './palm/provider.ts'
import { perplexity } from './perplexity/provider.ts'
import type { Provider } from './provider.ts'
import { resellers } from './resellers.ts'
import { siliconflow } from './siliconflow/provider.ts'
import { spark } from './spark/provider.ts'
import { tencent } from './tencent/provider.ts'
import { together } from './together/provider.ts'
import { vertex } from './vertex/provider.ts'
import { xai } from './xai/provider.ts'
import { xinference } from './xinference/provider.ts'
import { zhipu } from './zhipu/provider.ts'

/** Vendors with something of their own: each its file and its line here. */
const vendors: readonly Provider[] = [
  openai,
  azure,
  custom,
  palm,
  anthropic,
  baidu,
  zhipu,
  dashscope,
  spark,
  openrouter,
  aiproxyLibrary,
  fastgpt,
  tencent,
  gemini,
  moonshot,
  baichuan,
  minimax,
  mistral,
  groq,
  ollama,
  lingyiWanwu,
  bedrock,
  vertex,
  deepseek,
  xai,
  perplexity,
  together,
  siliconflow,
  ark,
  cohere,
  cloudflare,
  xinference,
  ...resellers,
]

const claimed = new Set(vendors.flatMap((vendor) => vendor.types))

/** Types no vendor's file claims speak OpenAI's shape and nothing else. Their row among the channel types is all they need. */
const openaiShaped = openaiFamily({
  types: channelTypeIds.filter((id) => !claimed.has(id)),
  operations: ['chat', 'embeddings'],
})

export const providers: readonly Provider[] = [...vendors, openaiShaped]

const byType = new Map(providers.flatMap((provider) => provider.types.map((type) => [type, provider] as const)))

/** Throws for a number that is no channel type: channels are checked when they are saved. */
export function providerOf(type: number): Provider {
  const provider = byType.get(type)
  if (!provider) throw new RangeError(`There is no provider for channel type ${type}`)
  return provider
}
