/** A non-negative number written as digits and a decimal point: `units` ÷ 10^`decimals`. */
export interface Decimal {
  readonly units: bigint
  readonly decimals: number
}

/** Digits kept of a number read from outside, and added by a division that does not come out even. */
const keptDecimals = 12

const zero: Decimal = { units: 0n, decimals: 0 }

function trimmed(units: bigint, decimals: number): Decimal {
  let [rest, places] = [units, decimals]
  while (places > 0 && rest % 10n === 0n) [rest, places] = [rest / 10n, places - 1]
  return { units: rest, decimals: places }
}

/** The number as a person would write it: 1.1 is exactly 11/10. Negative numbers count as zero. */
export function decimal(value: number): Decimal {
  if (!Number.isFinite(value)) throw new RangeError(`not a finite number: ${value}`)
  if (value <= 0) return zero
  if (Number.isSafeInteger(value)) return { units: BigInt(value), decimals: 0 }
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const places = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  if (places <= 0) return { units: digits * 10n ** BigInt(-places), decimals: 0 }
  if (places <= keptDecimals) return trimmed(digits, places)
  const surplus = 10n ** BigInt(places - keptDecimals)
  return trimmed((digits + surplus / 2n) / surplus, keptDecimals)
}

export function times(a: Decimal, b: Decimal): Decimal {
  return trimmed(a.units * b.units, a.decimals + b.decimals)
}

export function plus(a: Decimal, b: Decimal): Decimal {
  const decimals = Math.max(a.decimals, b.decimals)
  return trimmed(unitsAt(a, decimals) + unitsAt(b, decimals), decimals)
}

/** Cuts off further digits of a quotient, so that a later rounding up never adds a unit for them. */
export function dividedBy(a: Decimal, b: Decimal): Decimal {
  const decimals = a.decimals + keptDecimals
  return trimmed((a.units * 10n ** BigInt(keptDecimals + b.decimals)) / b.units, decimals)
}

export function equal(a: Decimal, b: Decimal): boolean {
  return a.units * 10n ** BigInt(b.decimals) === b.units * 10n ** BigInt(a.decimals)
}

/** Units of `value` when it is written with that many decimals, which must not be fewer than its own. */
export function unitsAt(value: Decimal, decimals: number): bigint {
  return value.units * 10n ** BigInt(decimals - value.decimals)
}

export function toNumber(value: Decimal): number {
  if (value.decimals === 0) return Number(value.units)
  const digits = value.units.toString().padStart(value.decimals + 1, '0')
  const point = digits.length - value.decimals
  return Number(`${digits.slice(0, point)}.${digits.slice(point)}`)
}

/** The whole number next to it, halves upwards, held below the largest safe integer. */
export function nearest({ units, decimals }: Decimal): number {
  const divisor = 10n ** BigInt(decimals)
  const whole = (2n * units + divisor) / (2n * divisor)
  return whole > largest ? Number.MAX_SAFE_INTEGER : Number(whole)
}

const largest = BigInt(Number.MAX_SAFE_INTEGER)

/** `units` ÷ 10^`decimals` rounded up, held below the largest safe integer. */
export function ceiling(units: bigint, decimals: number): number {
  const divisor = 10n ** BigInt(decimals)
  const whole = (units + divisor - 1n) / divisor
  return whole > largest ? Number.MAX_SAFE_INTEGER : Number(whole)
}
