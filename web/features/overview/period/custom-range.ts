const two = (value: number): string => String(value).padStart(2, '0')

const textOf = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

/** The first second of a day written YYYY-MM-DD, some days later; null when there is no such day. */
export function dayStart(text: string, later = 0): number | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim()) ?? []
  const at = new Date(Number(year), Number(month) - 1, Number(day))
  if (day === undefined || textOf(at) !== text.trim()) return null
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + later).getTime() / 1000
}

/** From the first second of one day to the last of another; null unless they stand in this order. */
export function rangeOf(first: string, last: string): { from: number; to: number } | null {
  const from = dayStart(first)
  const to = dayStart(last, 1)
  return from === null || to === null || from >= to || from <= 0 ? null : { from, to }
}

export const rangeNames = ['week', 'month', 'lastMonth'] as const

/** First and last day of the usual ranges; a week begins on Monday. */
export function usualRange(name: (typeof rangeNames)[number], now: Date): [first: string, last: string] {
  const day = (month: number, date: number) => textOf(new Date(now.getFullYear(), month, date))
  const month = now.getMonth()
  const today = day(month, now.getDate())
  if (name === 'week') return [day(month, now.getDate() - ((now.getDay() + 6) % 7)), today]
  return name === 'month' ? [day(month, 1), today] : [day(month - 1, 1), day(month, 0)]
}
