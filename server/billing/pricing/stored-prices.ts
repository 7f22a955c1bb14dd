import type { Db, Tx } from '#server/db/database.ts'
import { lockOptions, parseStored, writeOption } from '#server/db/stored-options.ts'
import { inPortions } from '#server/lib/in-portions.ts'
import type { SecretBox } from '#server/lib/secret-box.ts'
import { options } from '#shared/options.ts'
import { publicPrice } from './list-cost.ts'
import {
  clearOwn,
  copyShelf,
  noRatios,
  nothingSet,
  type OwnPrice,
  type PriceOption,
  type PriceProblem,
  type PriceShelf,
  priceOptions,
  readOwn,
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

/** What is stored, as it is stored. */
export type PriceTexts = Readonly<Record<PriceOption, string>>

export async function readPriceTexts(db: Db | Tx): Promise<PriceTexts> {
  const rows = await db.selectFrom('options').selectAll().where('key', 'in', priceOptions).execute()
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  const texts = priceOptions.map((key) => [key, stored.get(key) ?? options[key].default])
  return Object.fromEntries(texts) as PriceTexts
}

/** The prices of these texts, to be changed. */
export async function shelfOfTexts(texts: PriceTexts): Promise<PriceShelf> {
  const ratiosOf = (key: PriceOption) => {
    const parsed = parseStored(key, texts[key])
    if (!parsed.success) throw parsed.error
    return [key, parsed.data as Record<string, number>] as const
  }
  const ratios = await inPortions(priceOptions, ratiosOf)
  return copyShelf(Object.fromEntries(ratios) as Record<PriceOption, Record<string, number>>)
}

/** The texts that differ now, laid out as before. */
export async function changedTexts(texts: PriceTexts, shelf: PriceShelf): Promise<[PriceOption, string][]> {
  const textOf = (key: PriceOption): [PriceOption, string] => [
    key,
    JSON.stringify(Object.fromEntries(shelf[key]), null, texts[key].includes('\n') ? 2 : 0),
  ]
  const written = await inPortions(priceOptions, textOf)
  return written.filter(([key, text]) => text !== texts[key])
}

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
export const readPrices = async (db: Db | Tx): Promise<PriceShelf> => shelfOfTexts(await readPriceTexts(db))

/** The prices that are stored, to be changed, and a way to write them back. Others who do so wait until the transaction ends. */
export async function openPrices(tx: Tx, secrets: SecretBox) {
  await lockOptions(tx)
  const texts = await readPriceTexts(tx)
  const shelf = await shelfOfTexts(texts)
  const save = async (): Promise<void> => {
    for (const [key, text] of await changedTexts(texts, shelf)) await writeOption(tx, secrets, key, text)
  }
  return { shelf, save }
}
