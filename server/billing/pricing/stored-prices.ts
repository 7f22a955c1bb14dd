import type { Db, Tx } from '#server/db/database.ts'
import { lockOptions, readStoredOptions, writeOption } from '#server/db/stored-options.ts'
import type { SecretBox } from '#server/lib/secret-box.ts'
import { options } from '#shared/options.ts'
import { publicPrice } from './list-cost.ts'
import {
  clearOwn,
  noRatios,
  nothingSet,
  type OwnPrice,
  type PriceProblem,
  type PriceShelf,
  priceOptions,
  readOwn,
  shelfOf,
  writeOwn,
} from './own-prices.ts'
import { priceAmounts } from './price-amounts.ts'

/** The public price of a model's input; null when no list knows it, or not by the token. */
function listInputOf(model: string): number | null {
  const price = publicPrice(model)
  return price?.unit === 'token' ? priceAmounts(price).input_usd : null
}

export const ownPrice = (shelf: PriceShelf, model: string): OwnPrice | null => readOwn(shelf, model, listInputOf(model))

/** Sets what a model costs; null takes back what was set. Returns what is wrong with it. */
export function setOwnPrice(shelf: PriceShelf, model: string, own: OwnPrice | null): PriceProblem | null {
  if (own) return writeOwn(shelf, model, own, listInputOf(model))
  clearOwn(shelf, model)
  return null
}

async function readTexts(db: Db | Tx, secrets: SecretBox) {
  const stored = await readStoredOptions(db, secrets)
  return (key: (typeof priceOptions)[number]) => stored[key] ?? options[key].default
}

const shelfFrom = (textOf: Awaited<ReturnType<typeof readTexts>>): PriceShelf =>
  shelfOf(Object.fromEntries(priceOptions.map((key) => [key, options[key].schema.parse(textOf(key))])) as never)

/** Another price of tokens for a model; what its cache costs in dollars stays. */
export const setTokenPrice = (
  shelf: PriceShelf,
  model: string,
  { input_usd, output_usd = null }: { readonly input_usd: number; readonly output_usd?: number | null | undefined },
): PriceProblem | null =>
  setOwnPrice(shelf, model, {
    ...(ownPrice(shelf, model) ?? nothingSet),
    ...noRatios,
    per_request_usd: null,
    input_usd,
    output_usd,
  })

/** The prices that are stored, to be read only. */
export const readPrices = async (db: Db | Tx, secrets: SecretBox): Promise<PriceShelf> =>
  shelfFrom(await readTexts(db, secrets))

/** The prices that are stored, to be changed, and a way to write them back. Others who do so wait until the transaction ends. */
export async function openPrices(tx: Tx, secrets: SecretBox) {
  await lockOptions(tx)
  const textOf = await readTexts(tx, secrets)
  const shelf = shelfFrom(textOf)
  const save = async (): Promise<void> => {
    for (const key of priceOptions) {
      const before = textOf(key)
      const value = JSON.stringify(Object.fromEntries(shelf[key]), null, before.includes('\n') ? 2 : 0)
      if (value !== before) await writeOption(tx, secrets, key, value)
    }
  }
  return { shelf, save }
}
