const digitsMax = 4

/** Dollars with two to four decimals; small ones keep what they have. */
export function formatUsd(usd: number | null): string {
  if (usd === null) return '–'
  const [, decimals = ''] = String(usd).split('.')
  const digits = Math.min(digitsMax, Math.max(2, decimals.length))
  return usd > 0 && usd < 0.0001 ? `$${usd}` : `$${usd.toFixed(digits)}`
}

/** Embeddings and the like answer with nothing that is sold. */
export const isWithoutOutput = (price: { input_usd: number | null; output_usd: number | null }): boolean =>
  price.output_usd === 0 && (price.input_usd ?? 0) > 0

/** A price of output, or that there is none. */
export const outputUsd = (price: { input_usd: number | null; output_usd: number | null }): string =>
  formatUsd(isWithoutOutput(price) ? null : price.output_usd)

/** A share as a percentage with one decimal. */
export const formatShare = (share: number | null): string =>
  share === null ? '–' : `${(share * 100).toLocaleString('en-US', { maximumFractionDigits: 1 }).replace('-', '−')} %`
