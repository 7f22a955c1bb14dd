const letter = 7
const gap = 12
const leastWidth = 32

/** Zeros that say nothing: $200.00 is $200, $0.000500 is $0.0005. */
const short = (text: string): string => text.replace(/(\.\d*[1-9])0+(?=\D*$)|\.0+(?=\D*$)/, '$1')

/** The words beside the gridlines, and the room they need: small amounts have many digits. */
export function axisOf(values: readonly number[], format: (value: number) => string) {
  const ticks = values.map((value) => ({ value, label: short(format(value)) }))
  const longest = Math.max(0, ...ticks.map(({ label }) => label.length))
  return { ticks, width: Math.max(leastWidth, longest * letter + gap) }
}
