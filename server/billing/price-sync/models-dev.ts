import { inPortions } from '#server/lib/in-portions.ts'
import { objectOf } from '#server/lib/json.ts'
import type { SyncPrice } from '#shared/api/prices.ts'
import { type PriceTable, usd, usdPerToken } from './usd.ts'

/** Who makes the models of a name, by the ids the list gives its providers. */
const makers: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(gpt|o\d|chatgpt|codex|text-embedding|davinci|babbage)/i, ['openai']],
  [/^claude/i, ['anthropic']],
  [/^(gemini|gemma|learnlm)/i, ['google']],
  [/^deepseek/i, ['deepseek']],
  [/^grok/i, ['xai']],
  [/^(mistral|codestral|ministral|magistral|devstral|pixtral|open-mi)/i, ['mistral']],
  [/^(qwen|qwq|qvq)/i, ['alibaba', 'alibaba-cn']],
  [/^(kimi|moonshot)/i, ['moonshotai', 'moonshotai-cn']],
  [/^glm/i, ['zhipuai', 'zai']],
  [/^minimax/i, ['minimax', 'minimax-cn']],
  [/^command/i, ['cohere']],
  [/^sonar/i, ['perplexity']],
  [/^[^/]+\//, ['openrouter']],
]

/** Subscriptions, whose prices of zero mean nothing. */
const isSubscription = (provider: string): boolean => /plan|copilot|subscription/i.test(provider)

/** Provider → `models` → `cost` in dollars a million. A model is sold by many; the one who makes it counts. */
export async function readModelsDev(data: unknown): Promise<PriceTable> {
  const offers = new Map<string, Map<string, SyncPrice>>()
  const sold = Object.entries(objectOf(data) ?? {})
    .filter(([provider]) => !isSubscription(provider))
    .flatMap(([provider, value]) =>
      Object.entries(objectOf(objectOf(value)?.models) ?? {}).map(([model, entry]) => ({ provider, model, entry })),
    )
  await inPortions(sold, ({ provider, model, entry }) => {
    const cost = objectOf(objectOf(entry)?.cost)
    const price = cost && usdPerToken(usd(cost.input), usd(cost.output), usd(cost.cache_read), usd(cost.cache_write))
    if (!price) return
    const known = offers.get(model) ?? new Map<string, SyncPrice>()
    offers.set(model, known.set(provider, price))
  })
  const table = new Map<string, SyncPrice>()
  await inPortions(offers, ([model, byProvider]) => {
    const price = chosen(model, byProvider)
    if (price) table.set(model, price)
  })
  return table
}

const isPaid = (price: SyncPrice): boolean => (price.input_usd ?? 0) > 0 || (price.output_usd ?? 0) > 0

function chosen(model: string, offers: ReadonlyMap<string, SyncPrice>): SyncPrice | undefined {
  const own = makers.find(([name]) => name.test(model))?.[1] ?? []
  for (const provider of own) {
    const price = offers.get(provider)
    if (price) return price
  }
  return [...offers]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([, price]) => price)
    .find(isPaid)
}
