import { numberOf, objectOf } from '#server/lib/json.ts'
import { words } from '#server/lib/words.ts'
import type { ListPrice } from '#server/providers/list-price.ts'
import type { Body } from '#server/providers/provider.ts'
import { openRouterPrices } from './prices.ts'

const listed = words<ListPrice>(openRouterPrices)

/**
 * Hosts of one model ask different prices, and a client may say which it wants. It pays the list price, so none that asks more is
 * chosen; OpenRouter refuses a wish that no other host fulfils.
 */
export function withinListPrice(body: Body, model: string): Body {
  const wishes = objectOf(body.provider)
  const price = listed[model]
  if (!wishes || price?.unit !== 'token') return body
  const own = objectOf(wishes.max_price) ?? {}
  const most = (wanted: unknown, listPrice: number) => Math.min(numberOf(wanted) ?? listPrice, listPrice)
  const max_price = { ...own, prompt: most(own.prompt, price.input), completion: most(own.completion, price.output) }
  return { ...body, provider: { ...wishes, max_price } as Body }
}
