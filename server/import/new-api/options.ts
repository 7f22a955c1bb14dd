import { z } from 'zod'
import { oidcOptions } from '#server/import/oidc.ts'
import type { OldPrice } from '#server/import/old-price.ts'
import type { Opened } from '#server/import/program.ts'
import { withPrices } from '#server/import/ratios.ts'
import { code, text } from '#server/import/source/cells.ts'
import { pages, type Source } from '#server/import/source/source.ts'
import { parseObject } from '#server/lib/json.ts'
import { distinctNames } from '#shared/comma-list.ts'
import { limitsOf } from './limits.ts'
import { pricesThere } from './prices-there.ts'
import { SourceChannel } from './rows.ts'

const SourceOption = z.object({ key: code, value: text })

export async function savedOptions(source: Source): Promise<Map<string, string>> {
  const rows = await source.query(`select * from ${source.quote('options')}`)
  return new Map(rows.map((row) => SourceOption.parse(row)).map(({ key, value }) => [key, value]))
}

export const oidcSettings = (saved: ReadonlyMap<string, string>) => ({
  enabled: saved.get('oidc.enabled'),
  name: saved.get('oidc.display_name'),
  clientId: saved.get('oidc.client_id'),
  clientSecret: saved.get('oidc.client_secret'),
  wellKnown: saved.get('oidc.well_known'),
})

/** Options that have become others, and are not lost. */
const translated =
  /^(oidc\.(enabled|display_name|client_id|client_secret|well_known)|CreateCacheRatio|ModelPrice|ModelRequestRateLimit\w*|UserUsableGroups|AutoGroups|SelfUseModeEnabled|group_ratio_setting\.group_special_usable_group|billing_setting\.billing_(mode|expr))$/

/** Under our names. */
const renamed: Readonly<Record<string, string>> = { CreateCacheRatio: 'CacheWriteRatio', ModelPrice: 'RequestPrice' }

export async function readOptions({ source, report }: Opened): Promise<ReadonlyMap<string, string>> {
  const saved = await savedOptions(source)
  const [prices, groups] = await inUse(source, saved, (reason, model) => report.note(reason, model))
  const all = new Map([...saved].filter(([key]) => !translated.test(key)))
  for (const [old, own] of Object.entries(renamed)) {
    const value = saved.get(old)
    if (value !== undefined) all.set(own, value)
  }
  // Their numbers mean something else where prices are not computed.
  all.delete('AudioCompletionRatio')
  const priced = withPrices(all, prices)
  for (const [key, value] of oidcOptions(oidcSettings(saved))) priced.set(key, value)
  const limits = limitsOf(saved, groups)
  if (limits !== null) priced.set('GroupLimits', JSON.stringify(limits))
  noteGroupRatios(saved, (pair) => report.note('ratio of a group for users of another group has no place here', pair))
  return priced
}

/** What the models of its channels cost there, by the name they are asked for, and every group there is. */
async function inUse(
  source: Source,
  saved: ReadonlyMap<string, string>,
  leaveOut: (reason: string, model: string) => void,
): Promise<[Map<string, OldPrice>, Set<string>]> {
  const priceThere = pricesThere(saved)
  const prices = new Map<string, OldPrice>()
  const groups = new Set(['default', ...Object.keys(parseObject(saved.get('GroupRatio') ?? ''))])
  const seen = new Set<string>()
  for await (const page of pages(source, 'channels', SourceChannel)) {
    for (const channel of page) {
      for (const group of distinctNames(channel.group)) groups.add(group)
      for (const model of distinctNames(channel.models)) {
        if (seen.has(model)) continue
        seen.add(model)
        const price = priceThere(model)
        if ('leftOut' in price) leaveOut(price.leftOut, model)
        else prices.set(model, price)
      }
    }
  }
  return [prices, groups]
}

/** The example the program comes with is nobody's price. */
function noteGroupRatios(saved: ReadonlyMap<string, string>, note: (pair: string) => void): void {
  for (const [own, ratios] of Object.entries(parseObject(saved.get('GroupGroupRatio') ?? ''))) {
    const pairs = Object.entries((ratios ?? {}) as Record<string, unknown>).filter(([group]) => group !== 'edit_this')
    for (const [group, ratio] of pairs) note(`${group} for ${own} (${String(ratio)})`)
  }
}
