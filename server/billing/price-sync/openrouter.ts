import { inPortions } from '#server/lib/in-portions.ts'
import { arrayOf, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import type { SyncPrice } from '#shared/api/prices.ts'
import { type PriceTable, usdPerMillion, usdPerToken } from './usd.ts'

/** `data[].pricing` in dollars a token, as text. −1 stands for a price that depends: it is passed over. */
export async function readOpenrouter(data: unknown): Promise<PriceTable> {
  const table = new Map<string, SyncPrice>()
  await inPortions(arrayOf(objectOf(data)?.data), (value) => {
    const entry = objectOf(value)
    const name = textOf(entry?.id)
    const pricing = objectOf(entry?.pricing)
    if (name === undefined || !pricing) return
    const { prompt, completion, input_cache_read: read, input_cache_write: write } = pricing
    if ([prompt, completion].some((price) => (numberOf(price) ?? 0) < 0)) return
    const price = usdPerToken(
      usdPerMillion(prompt),
      usdPerMillion(completion),
      usdPerMillion(read),
      usdPerMillion(write),
    )
    if (price) table.set(name, price)
  })
  return table
}
