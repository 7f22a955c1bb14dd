/**
 * How long requests took, as counts by size: each size is 8 % above the one before, so that a percentile read from it is within
 * 4 % of the true one. As text `size:count,size:count`, the sizes ascending.
 */
export type Times = Map<number, number>

const growth = Math.log(1.08)
const longestMs = 1e9

export const sizeOf = (ms: number): number => (ms < 1 ? 0 : 1 + Math.round(Math.log(Math.min(ms, longestMs)) / growth))

const millisecondsOf = (size: number): number => (size === 0 ? 0 : Math.round(Math.exp((size - 1) * growth) * 10) / 10)

export function countTimes(times: Times, size: number, more: number): void {
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

/** By size, for the one that adds up at the moment. */
const counts = new Float64Array(sizeOf(longestMs) + 1)

function add(size: number, requests: number): void {
  counts[size] = (counts[size] ?? 0) + requests
}

/** By hand, because a long period reads megabytes of it. */
function countText(text: string, sign: number): void {
  let size = 0
  let number = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? comma : text.charCodeAt(at)
    if (code === colon) {
      size = number
      number = 0
    } else if (code === comma) {
      if (number > 0) add(size, sign * number)
      number = 0
    } else number = number * 10 + code - zero
  }
}

/** What was counted, to be read: a size and its count in turn, the sizes ascending. A map of each would take most of the time. */
export type Tally = Float64Array

/** Times that are added or taken away. */
export type TallyPart = readonly [times: Times | Tally | string, sign: number]

export const noTally: Tally = new Float64Array(0)

export function tallyOf(parts: readonly TallyPart[]): Tally {
  counts.fill(0)
  for (const [times, sign] of parts) {
    if (typeof times === 'string') countText(times, sign)
    else if (times instanceof Map) for (const [size, requests] of times) add(size, sign * requests)
    else for (let at = 0; at < times.length; at += 2) add(times[at] ?? 0, sign * (times[at + 1] ?? 0))
  }
  let length = 0
  for (let size = 0; size < counts.length; size++) if (counts[size] !== 0) length += 2
  const tally = new Float64Array(length)
  let at = 0
  for (let size = 0; size < counts.length; size++) {
    if (counts[size] === 0) continue
    tally[at++] = size
    tally[at++] = counts[size] ?? 0
  }
  return tally
}

/** Adds what a text says to the times. */
export function readTimes(text: string, into: Times): void {
  const tally = tallyOf([[text, 1]])
  for (let at = 0; at < tally.length; at += 2) countTimes(into, tally[at] ?? 0, tally[at + 1] ?? 0)
}

/** All of it together, in milliseconds. */
export function sumOf(tally: Tally): number {
  let sum = 0
  for (let at = 0; at < tally.length; at += 2) sum += millisecondsOf(tally[at] ?? 0) * (tally[at + 1] ?? 0)
  return sum
}

/** The time the given share of requests stayed below; null when there are none. */
export function percentile(tally: Tally, share: number): number | null {
  const requestsAt = (at: number) => Math.max(0, tally[at + 1] ?? 0)
  let total = 0
  for (let at = 0; at < tally.length; at += 2) total += requestsAt(at)
  const wanted = Math.max(1, Math.ceil(total * share))
  let seen = 0
  for (let at = 0; at < tally.length; at += 2) {
    seen += requestsAt(at)
    if (seen >= wanted) return millisecondsOf(tally[at] ?? 0)
  }
  return null
}
