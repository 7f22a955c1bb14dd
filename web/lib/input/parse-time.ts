const form = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?)?$/

/** Local time written as YYYY-MM-DD HH:mm:ss (seconds, or the whole time, may be left out) in epoch seconds; else `null`. */
export function parseTime(text: string): number | null {
  const parts = form
    .exec(text.trim())
    ?.slice(1)
    .map((part) => Number(part ?? 0))
  if (!parts) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  const at = new Date(year, month - 1, day, hour, minute, second)
  const same = at.getMonth() === month - 1 && at.getDate() === day && at.getMinutes() === minute
  return same && hour < 24 && second < 60 ? Math.floor(at.getTime() / 1000) : null
}
