import { nowSeconds } from '#web/lib/format.ts'

const quarter = 900

/** The month that runs, up to the end of this quarter hour. */
export function thisMonth(): { from: number; to: number; end: number } {
  const now = new Date()
  const begin = (month: number) => new Date(now.getFullYear(), month, 1).getTime() / 1000
  const to = Math.ceil(nowSeconds() / quarter) * quarter
  return { from: begin(now.getMonth()), to, end: begin(now.getMonth() + 1) }
}
