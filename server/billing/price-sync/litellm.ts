import { inPortions } from '#server/lib/in-portions.ts'
import { objectOf, textOf } from '#server/lib/json.ts'
import type { SyncPrice } from '#shared/api/prices.ts'
import { type PriceTable, usdPerMillion, usdPerToken } from './usd.ts'

/** Prefixes of vendors we have a channel type of, whose names of models we use without them. */
const ownVendors = new Set([
  'groq',
  'mistral',
  'deepseek',
  'xai',
  'gemini',
  'moonshot',
  'dashscope',
  'minimax',
  'zai',
  'cohere',
  'cohere_chat',
  'openrouter',
  'perplexity',
  'together_ai',
  'cloudflare',
])

const soldByToken = new Set(['chat', 'completion', 'responses', 'embedding', 'rerank'])

/** One object: model → `input_cost_per_token` and others. Names are plain, or behind a vendor's prefix. */
export async function readLitellm(data: unknown): Promise<PriceTable> {
  const plain = new Map<string, SyncPrice>()
  const prefixed = new Map<string, SyncPrice>()
  await inPortions(Object.entries(objectOf(data) ?? {}), ([name, value]) => {
    const entry = objectOf(value)
    if (!entry || name === 'sample_spec' || !soldByToken.has(textOf(entry.mode) ?? 'chat')) return
    const price = usdPerToken(
      usdPerMillion(entry.input_cost_per_token),
      usdPerMillion(entry.output_cost_per_token),
      usdPerMillion(entry.cache_read_input_token_cost),
      usdPerMillion(entry.cache_creation_input_token_cost),
    )
    if (!price) return
    const slash = name.indexOf('/')
    if (slash < 0) plain.set(name, price)
    else if (ownVendors.has(name.slice(0, slash))) prefixed.set(name.slice(slash + 1), price)
  })
  return new Map([...prefixed, ...plain])
}
