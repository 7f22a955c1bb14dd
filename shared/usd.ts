const digitsMax = 4

/** Dollars with two to four decimals; small ones keep what they have. */
export function formatUsd(usd: number | null): string {
  if (usd === null) return '–'
  return usd > 0 && usd < 0.0001 ? `$${usd}` : `$${usd.toFixed(digitsMax).replace(/0{1,2}$/, '')}`
}
