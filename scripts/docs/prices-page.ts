import { defaultPrices, pricesAsOf } from '#server/billing/pricing/default-prices.ts'
import type { ListPrice } from '#server/providers/list-price.ts'

const usd = (value: number | undefined): string => (value === undefined ? '' : String(Number(value.toPrecision(6))))

function others({ perMillionCharacters, perSecond, pictures, tiers }: ListPrice): string {
  const parts = [
    perMillionCharacters === undefined ? '' : `${usd(perMillionCharacters)} per million characters`,
    perSecond === undefined ? '' : `${usd(perSecond)} per second`,
    pictures
      ? Object.entries(pictures)
          .map(([kind, price]) => `${kind}: ${usd(price)} a picture`)
          .join(', ')
      : '',
    ...(tiers ?? []).map((tier) => `above ${tier.above} tokens of input ${usd(tier.input)} and ${usd(tier.output)}`),
  ]
  return parts.filter((part) => part !== '').join('; ')
}

/** The built-in prices as people read price lists. */
export function pricesPage(): string {
  const rows = [...defaultPrices]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([model, price]) =>
        `| ${model} | ${usd(price.input)} | ${usd(price.cacheRead)} | ${usd(price.output)} | ${others(price)} |`,
    )
  return `# Built-in prices

Generated from \`server/providers/<vendor>/prices.ts\`; compiled ${pricesAsOf} from public price lists. US dollars per million tokens unless said
otherwise. A ratio stored in the console wins for its model: ratio 1 is 2 dollars per million tokens of input, and 500,000 quota
are one dollar. A model that is neither here nor there is refused.

| model | input | cached input | output | also |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`
}
