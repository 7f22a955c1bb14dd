/**
 * How long requests took, as counts by size: each size is 8 % above the one before, so that a percentile read from it is within
 * 4 % of the true one. As text `size:count,size:count`, the sizes ascending.
 */
export type Times = Map<number, number>

const growth = Math.log(1.08)
const longestMs = 1e9

export const sizeOf = (ms: number): number => (ms < 1 ? 0 : 1 + Math.round(Math.log(Math.min(ms, longestMs)) / growth))

const millisecondsOf = (size: number): number => (size === 0 ? 0 : Math.round(Math.exp((size - 1) * growth) * 10) / 10)

export function count(times: Times, size: number, more: number): void {
  times.set(size, (times.get(size) ?? 0) + more)
}

export const writeTimes = (times: Times): string =>
  [...times]
    .filter(([, requests]) => requests !== 0)
    .sort(([a], [b]) => a - b)
    .map(([size, requests]) => `${size}:${requests}`)
    .join(',')

const zero = 48
const comma = 44
const colon = 58

/** Adds what a text says to the times. By hand, because a long period reads megabytes of it. */
export function readTimes(text: string, into: Times, sign: number = 1): void {
  let size = 0
  let number = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? comma : text.charCodeAt(at)
    if (code === colon) {
      size = number
      number = 0
    } else if (code === comma) {
      if (number > 0) count(into, size, sign * number)
      number = 0
    } else number = number * 10 + code - zero
  }
}

/** All of it together, in milliseconds. */
export const sumOf = (times: Times): number =>
  [...times].reduce((sum, [size, requests]) => sum + millisecondsOf(size) * requests, 0)

/** The time the given share of requests stayed below; null when there are none. */
export function percentile(times: Times, share: number): number | null {
  const sizes = [...times].filter(([, requests]) => requests > 0).sort(([a], [b]) => a - b)
  const total = sizes.reduce((sum, [, requests]) => sum + requests, 0)
  const wanted = Math.max(1, Math.ceil(total * share))
  let seen = 0
  for (const [size, requests] of sizes) {
    seen += requests
    if (seen >= wanted) return millisecondsOf(size)
  }
  return null
}
