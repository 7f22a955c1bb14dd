import { publicPrice } from '#server/billing/pricing/list-cost.ts'
import { nothingSet, type OwnPrice } from '#server/billing/pricing/own-prices.ts'
import { priceAmounts } from '#server/billing/pricing/price-amounts.ts'
import { openPrices, ownPrice, readPrices, setOwnPrice } from '#server/billing/pricing/stored-prices.ts'
import { lockOptions } from '#server/db/stored-options.ts'
import type { Fields } from '#server/history/item.ts'
import type { Restorer, Undoing } from '#server/history/restorer.ts'
import { AppError } from '#shared/errors.ts'
import { allows } from '#shared/roles.ts'
import { refusePrice } from './prices.service.ts'

async function set({ ctx, tx, announce }: Undoing, model: string, fields: Fields | null): Promise<void> {
  const { shelf, save } = await openPrices(tx, ctx.secrets)
  const own = fields && ({ ...nothingSet, ...ownPrice(shelf, model), ...fields } as OwnPrice)
  const problem = setOwnPrice(shelf, model, own)
  if (problem) throw refusePrice(problem, model)
  await save()
  announce({ topic: 'options' })
}

/** What the price list says, by the token. */
function listPrice(model: string): Fields | null {
  const price = publicPrice(model)
  return price?.unit === 'token' ? { ...priceAmounts(price) } : null
}

/** A price stands among the options: it is set, or taken back to the list. */
export const priceRestorer: Restorer = {
  async read(db, targets, lock) {
    if (lock) await lockOptions(db)
    const shelf = await readPrices(db)
    return new Map(
      targets.flatMap((model) => {
        const own = ownPrice(shelf, model)
        return own ? [[model, { ...own }] as const] : []
      }),
    )
  },
  allow(_ctx, actor) {
    if (!allows(actor.role, 'admin')) throw new AppError('auth.forbidden')
  },
  default: (model) => listPrice(model),
  change: (undoing, model, fields) => set(undoing, model, fields),
  insert: (undoing, model, fields) => set(undoing, model, fields),
  remove: (undoing, model) => set(undoing, model, null),
}
