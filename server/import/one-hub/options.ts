import { oidcOptions } from '#server/import/oidc.ts'
import type { OldPrice } from '#server/import/old-price.ts'
import type { Opened } from '#server/import/program.ts'
import { dearest, differ, readRatios, withPrices } from '#server/import/ratios.ts'
import { pages, rowsOf, type Source } from '#server/import/source/source.ts'
import { withoutTrailing } from '#server/lib/text/without-trailing.ts'
import { readBackups } from './backup-groups.ts'
import { SourceChannel } from './channels.ts'
import { groupOptions, readGroups } from './groups.ts'
import { mappingOf } from './mapping.ts'
import { namesWithoutPatterns } from './models.ts'
import { type HubPrices, priceOf } from './price-of.ts'
import { SourceOption, SourcePrice } from './rows.ts'

/** What has become another option, or means nothing here. */
const replaced = ['OIDCAuthEnabled', 'OIDCClientId', 'OIDCClientSecret', 'OIDCIssuer', 'OldTokenMaxId']

export async function savedOptions(source: Source): Promise<Map<string, string>> {
  return new Map((await rowsOf(source, 'options', SourceOption)).map(({ key, value }) => [key, value]))
}

export const issuerOf = (saved: ReadonlyMap<string, string>): string =>
  withoutTrailing((saved.get('OIDCIssuer') ?? '').trim(), '/')

export async function readOptions({ source, report }: Opened): Promise<ReadonlyMap<string, string>> {
  const saved = await savedOptions(source)
  const prices = new Map<string, OldPrice>()
  for (const [model, found] of await pricesInUse(source)) {
    const price = dearest(found)
    if (!price) continue
    prices.set(model, price)
    if (differ(found)) report.note('model cost different amounts by channel; the dearest is kept', model)
  }
  const rest = new Map([...saved].filter(([key]) => !replaced.includes(key)))
  const oidc = oidcOptions({
    enabled: saved.get('OIDCAuthEnabled'),
    clientId: saved.get('OIDCClientId'),
    clientSecret: saved.get('OIDCClientSecret'),
    wellKnown: issuerOf(saved) === '' ? undefined : `${issuerOf(saved)}/.well-known/openid-configuration`,
  })
  const groups = await readGroups(source)
  const { made } = await readBackups(source, groups)
  return new Map([...withPrices(rest, prices, report), ...groupOptions(new Map([...groups, ...made])), ...oidc])
}

/** Every model its channels carry, with what it takes there: mostly by the name it is sent under. */
async function pricesInUse(source: Source): Promise<Map<string, OldPrice[]>> {
  const prices = await readPrices(source)
  const found = new Map<string, OldPrice[]>()
  for await (const page of pages(source, 'channels', SourceChannel)) {
    for (const { type, models, model_mapping, deleted_at } of page) {
      if (deleted_at) continue
      const { billed } = mappingOf(model_mapping)
      for (const model of namesWithoutPatterns(models)) {
        found.set(model, [...(found.get(model) ?? []), priceOf(billed(model), type, prices)])
      }
    }
  }
  return found
}

async function readPrices(source: Source): Promise<HubPrices> {
  const rows = await rowsOf(source, 'prices', SourcePrice)
  return new Map(
    rows.map(({ model, type, input, output, extra_ratios }) => [
      model,
      {
        isPerRequest: type === 'times',
        input: Math.max(0, input),
        output: Math.max(0, output),
        extra: readRatios(extra_ratios) ?? new Map(),
      },
    ]),
  )
}
