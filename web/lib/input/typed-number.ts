/** What a number field holds: the text of one that is no number counts as none, for the form to refuse. */
export const fieldNumber = (value: number | string): number => (typeof value === 'number' ? value : Number.NaN)

/** The same where an empty field means none. */
export const numberOrNone = (value: number | string): number => (value === '' ? 0 : fieldNumber(value))

/** A whole number as people write it: digits, commas between thousands, a minus. Anything else is none. */
export function readWhole(text: string): number | undefined {
  const plain = text.trim()
  if (!/^-?(\d+|\d{1,3}(,\d{3})+)$/.test(plain)) return undefined
  return Number(plain.replaceAll(',', ''))
}

/** A number that may have a point: "0.25", "1,250.5". Exponents and other notations are none. */
export function readDecimal(text: string): number | undefined {
  const plain = text.trim()
  if (!/^(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?$/.test(plain) || !/\d/.test(plain)) return undefined
  return Number(plain.replaceAll(',', ''))
}

/** An amount of dollars, with or without their sign. */
export const readUsd = (text: string): number | undefined => readDecimal(text.trim().replace(/^\$/, ''))

/** An amount of quota: the number itself, or dollars ("$12.50") that come out whole. */
export function readQuota(text: string, quotaPerUnit: number): number | undefined {
  const [, money] = /^\$\s*((?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?)$/.exec(text.trim()) ?? []
  if (money === undefined) return readWhole(text)
  const quota = Number((Number(money.replaceAll(',', '')) * quotaPerUnit).toFixed(6))
  return Number.isSafeInteger(quota) ? quota : undefined
}
