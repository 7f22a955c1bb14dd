import { arrayOf, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import type { SyncPrice } from '#shared/api/prices.ts'
import { type PriceTable, usdPerMillion, usdPerToken } from './usd.ts'

/** `data[].pricing` in dollars a token, as text. −1 stands for a price that depends: it is passed over. */
export function readOpenrouter(data: unknown): PriceTable {
  const table = new Map<string, SyncPrice>()
  for (const value of arrayOf(objectOf(data)?.data)) {
    const entry = objectOf(value)
    const name = textOf(entry?.id)
    const pricing = objectOf(entry?.pricing)
    if (name === undefined || !pricing) continue
    const { prompt, completion, input_cache_read: read, input_cache_write: write } = pricing
    if ([prompt, completion].some((price) => (numberOf(price) ?? 0) < 0)) continue
    const price = usdPerToken(
      usdPerMillion(prompt),
      usdPerMillion(completion),
      usdPerMillion(read),
      usdPerMillion(write),
    )
    if (price) table.set(name, price)
  }
  return table
}
