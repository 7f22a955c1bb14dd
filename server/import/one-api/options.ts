import { oidcOptions } from '#server/import/oidc.ts'
import type { OldPrice } from '#server/import/old-price.ts'
import type { Opened } from '#server/import/program.ts'
import { dearest, differ, readRatios, withPrices } from '#server/import/ratios.ts'
import { pages, type Source } from '#server/import/source/source.ts'
import { readMapping } from '#server/import/vendor-names.ts'
import { distinctNames } from '#shared/comma-list.ts'
import { priceOf } from './price-of.ts'
import { SourceChannel, SourceOption } from './rows.ts'

export async function savedOptions(source: Source): Promise<Map<string, string>> {
  const rows = await source.query(`select * from ${source.quote('options')}`)
  return new Map(rows.map((row) => SourceOption.parse(row)).map(({ key, value }) => [key, value]))
}

export const oidcSettings = (saved: ReadonlyMap<string, string>) => ({
  enabled: saved.get('OidcEnabled'),
  clientId: saved.get('OidcClientId'),
  clientSecret: saved.get('OidcClientSecret'),
  wellKnown: saved.get('OidcWellKnown'),
})

/** What has become another option. */
const replaced = ['OidcEnabled', 'OidcClientId', 'OidcClientSecret', 'OidcWellKnown']

export async function readOptions({ source, report }: Opened): Promise<ReadonlyMap<string, string>> {
  const saved = await savedOptions(source)
  const prices = new Map<string, OldPrice>()
  for (const [model, found] of await pricesInUse(source, saved)) {
    const price = dearest(found)
    if (!price) continue
    prices.set(model, price)
    if (differ(found)) report.note('model cost different amounts by channel; the dearest is kept', model)
  }
  const all = withPrices(saved, prices, report)
  for (const key of replaced) all.delete(key)
  for (const [key, value] of oidcOptions(oidcSettings(saved))) all.set(key, value)
  return all
}

/** Every model its channels carry, with what it takes there: by the name it is sent under, and the type of the channel. */
async function pricesInUse(source: Source, saved: ReadonlyMap<string, string>): Promise<Map<string, OldPrice[]>> {
  const ratios = {
    modelRatio: readRatios(saved.get('ModelRatio')) ?? new Map(),
    completionRatio: readRatios(saved.get('CompletionRatio')) ?? new Map(),
  }
  const found = new Map<string, OldPrice[]>()
  for await (const page of pages(source, 'channels', SourceChannel)) {
    for (const { type, models, model_mapping, deleted_at } of page) {
      if (deleted_at) continue
      const mapping = readMapping(model_mapping)
      for (const model of distinctNames(models)) {
        const price = priceOf(mapping?.get(model) ?? model, type, ratios)
        found.set(model, [...(found.get(model) ?? []), price])
      }
    }
  }
  return found
}
