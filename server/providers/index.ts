import { channelTypeIds } from '#shared/channel-types.ts'
import { aiproxyLibrary } from './aiproxy-library.ts'
import { anthropic } from './anthropic.ts'
import { azure } from './azure.ts'
import { baichuan } from './baichuan.ts'
import { baidu } from './baidu.ts'
import { custom } from './custom.ts'
import { dashscope } from './dashscope.ts'
import { fastgpt } from './fastgpt.ts'
import { gemini } from './gemini.ts'
import { groq } from './groq.ts'
import { lingyiWanwu } from './lingyi-wanwu.ts'
import { minimax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { moonshot } from './moonshot.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { openaiFamily } from './openai-family.ts'
import { openrouter } from './openrouter.ts'
import { palm } from './palm.ts'
import type { Provider } from './provider.ts'
import { resellers } from './resellers.ts'
import { spark } from './spark.ts'
import { tencent } from './tencent.ts'
import { zhipu } from './zhipu.ts'

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
