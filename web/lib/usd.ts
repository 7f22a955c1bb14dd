import { formatUsd } from '#shared/usd.ts'

/** Embeddings and the like answer with nothing that is sold. */
export const isWithoutOutput = (price: { input_usd: number | null; output_usd: number | null }): boolean =>
  price.output_usd === 0 && (price.input_usd ?? 0) > 0

/** A price of output, or that there is none. */
export const outputUsd = (price: { input_usd: number | null; output_usd: number | null }): string =>
  formatUsd(isWithoutOutput(price) ? null : price.output_usd)

/** With the minus sign of figures instead of a hyphen. */
export const withMinus = (text: string): string => text.replace(/^-/, '−')

/** A share as a percentage with one decimal. */
export const formatShare = (share: number | null): string =>
  share === null ? '–' : `${withMinus((share * 100).toLocaleString('en-US', { maximumFractionDigits: 1 }))} %`
