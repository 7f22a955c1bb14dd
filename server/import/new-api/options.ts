import { oidcOptions } from '#server/import/oidc.ts'
import type { OldPrice } from '#server/import/old-price.ts'
import type { Opened } from '#server/import/program.ts'
import { readRatios, withPrices } from '#server/import/ratios.ts'
import { code, text } from '#server/import/source/cells.ts'
import { rowReader } from '#server/import/source/row-reader.ts'
import { pages, type Source } from '#server/import/source/source.ts'
import { parseObject } from '#server/lib/json.ts'
import { distinctNames } from '#shared/comma-list.ts'
import { limitsOf } from './limits.ts'
import { pricesThere } from './prices-there.ts'
import { SourceChannel } from './rows.ts'
import { type SpecialGroups, specialGroups } from './special-groups.ts'

const SourceOption = rowReader({ key: code, value: text })

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
  /^(oidc\.(enabled|display_name|client_id|client_secret|well_known)|CreateCacheRatio|ModelPrice|ModelRequestRateLimit\w*|GroupGroupRatio|UserUsableGroups|AutoGroups|SelfUseModeEnabled|group_ratio_setting\.group_special_usable_group|billing_setting\.billing_(mode|expr)|EmailAliasRestrictionEnabled)$/

/** Under our names. */
const renamed: Readonly<Record<string, string>> = { CreateCacheRatio: 'CacheWriteRatio', ModelPrice: 'RequestPrice' }

/** Where the option was never saved. */
const builtInGroups = [
  ['default', 1],
  ['vip', 1],
  ['svip', 1],
] as const

/** Groups, and those that were made from them. */
const withMade = <Value>(
  groups: Readonly<Record<string, Value>>,
  made: SpecialGroups['made'],
  of: (made: { readonly group: string; readonly ratio: number }) => Value | undefined,
): Record<string, Value | undefined> => ({
  ...groups,
  ...Object.fromEntries([...made].map(([name, each]) => [name, of(each)])),
})

const aliasRule = 'EmailAliasRestrictionEnabled'

/** Whether it keeps people from registering again and again with one mailbox, which nothing does here. */
const refusesAliases = (saved: ReadonlyMap<string, string>): boolean =>
  saved.get(aliasRule) === 'true' &&
  saved.get('EmailVerificationEnabled') === 'true' &&
  !['RegisterEnabled', 'PasswordRegisterEnabled'].some((key) => saved.get(key) === 'false')

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
  const priced = withPrices(all, prices, report)
  for (const [key, value] of oidcOptions(oidcSettings(saved))) priced.set(key, value)
  if (refusesAliases(saved)) {
    priced.set('RegisterEnabled', 'false')
    report.note('registration is switched off: addresses with a dot or a plus were refused there', aliasRule)
  }
  const { made } = specialGroups(saved)
  const limits = limitsOf(saved, groups)
  if (limits !== null) priced.set('GroupLimits', JSON.stringify(withMade(limits, made, ({ group }) => limits[group])))
  if (made.size > 0) {
    const ratios = Object.fromEntries(readRatios(saved.get('GroupRatio')) ?? builtInGroups)
    priced.set('GroupRatio', JSON.stringify(withMade(ratios, made, ({ ratio }) => ratio)))
  }
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
