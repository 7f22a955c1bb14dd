import { formatClock, formatDate, nowSeconds } from '#web/lib/format.ts'

export const isoDate = formatDate

/** The language of the page; English days stand before their month. */
const tag = (): string => (document.documentElement.lang === 'en' ? 'en-GB' : document.documentElement.lang)

const written = (at: number, how: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(tag(), how).format(at * 1000)

/** Tuesday 3 November, or Tue 3 Nov. */
export const dayName = (at: number, style: 'long' | 'short'): string =>
  written(at, { weekday: style, day: 'numeric', month: style }).replace(', ', ' ')

/** 3 Nov */
export const shortDay = (at: number): string => written(at, { day: 'numeric', month: 'short' })

const weekSeconds = 6 * 86_400

/** Thu 18:04, or 3 Nov 18:04 when that is longer ago than the name of a day says. */
export const dayAndTime = (at: number): string => {
  const day = nowSeconds() - at < weekSeconds ? written(at, { weekday: 'short' }) : shortDay(at)
  return `${day} ${formatClock(at)}`
}

/** 3 November 2026 */
export const wholeDay = (at: number): string => written(at, { dateStyle: 'long' })

/** 15 Oct – 13 Nov 2026 */
export const daysFromTo = (from: number, to: number): string =>
  new Intl.DateTimeFormat(tag(), { day: 'numeric', month: 'short', year: 'numeric' }).formatRange(
    from * 1000,
    (to - 1) * 1000,
  )
