import { type TokenAmounts, tokenClasses } from '#shared/token-classes.ts'
import type { BillableUsage } from './billable-usage.ts'
import type { Decimal } from './decimal.ts'
import type { TierRates } from './model-price.ts'

const count = (tokens: number | undefined) =>
  tokens !== undefined && tokens > 0 ? Math.min(Math.ceil(tokens), Number.MAX_SAFE_INTEGER) : 0

/**
 * Takes the classes apart; what no class claims is plain input or output. No token is counted twice: a cached picture is
 * cached, and classes that claim more than there is get what is left. Every class by its name, for this is done three times a request.
 */
export function disjoint(usage: BillableUsage): TokenAmounts {
  let input = count(usage.input)
  let output = count(usage.output)
  const ofInput = (claimed: number | undefined): number => {
    const taken = Math.min(count(claimed), input)
    input -= taken
    return taken
  }
  const ofOutput = (claimed: number | undefined): number => {
    const taken = Math.min(count(claimed), output)
    output -= taken
    return taken
  }
  const cacheRead = ofInput(usage.cacheRead)
  const audioCacheRead = ofInput(usage.audioCacheRead)
  const cacheWrite = ofInput(usage.cacheWrite)
  const cacheWriteLong = ofInput(usage.cacheWriteLong)
  const audioInput = ofInput(usage.audioInput)
  const imageInput = ofInput(usage.imageInput)
  const audioOutput = ofOutput(usage.audioOutput)
  const imageOutput = ofOutput(usage.imageOutput)
  const reasoning = ofOutput(usage.reasoning)
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    cacheWriteLong,
    audioInput,
    audioOutput,
    imageInput,
    imageOutput,
    reasoning,
    audioCacheRead,
  }
}

/** Σ amount × rate, in units of the tier. */
export function exactUnits({ units }: TierRates, amounts: TokenAmounts): bigint {
  let sum = 0n
  for (const name of tokenClasses) sum += BigInt(amounts[name]) * units[name]
  return sum
}

const powersOfTen = Array.from({ length: 16 }, (_, power) => Number(10n ** BigInt(power)))

const smallSum = (amounts: TokenAmounts, each: TokenAmounts): number =>
  amounts.input * each.input +
  amounts.output * each.output +
  amounts.cacheRead * each.cacheRead +
  amounts.cacheWrite * each.cacheWrite +
  amounts.cacheWriteLong * each.cacheWriteLong +
  amounts.audioInput * each.audioInput +
  amounts.audioOutput * each.audioOutput +
  amounts.imageInput * each.imageInput +
  amounts.imageOutput * each.imageOutput +
  amounts.reasoning * each.reasoning +
  amounts.audioCacheRead * each.audioCacheRead

/** A whole number from a product and the power of ten it is to be divided by. */
type Rounding = (product: number, divisor: number) => number

export const up: Rounding = (product, divisor) => {
  const rest = product % divisor
  return (product - rest) / divisor + (rest > 0 ? 1 : 0)
}

/** Halves go up. */
export const toNearest: Rounding = (product, divisor) => {
  const rest = product % divisor
  return (product - rest) / divisor + (rest * 2 >= divisor ? 1 : 0)
}

/**
 * Σ amount × rate × factor, rounded, in plain numbers: while the product stays a safe integer every step of it is exact, for none of
 * the terms is negative. Undefined when it does not.
 */
export function smallTotal(
  tier: TierRates,
  amounts: TokenAmounts,
  factor: Decimal,
  rounded: Rounding,
): number | undefined {
  const divisor = powersOfTen[tier.decimals + factor.decimals]
  if (!tier.smallUnits || divisor === undefined) return undefined
  const times = Number(factor.units)
  const product = smallSum(amounts, tier.smallUnits) * times
  if (product > Number.MAX_SAFE_INTEGER || times > Number.MAX_SAFE_INTEGER) return undefined
  return rounded(product, divisor)
}
