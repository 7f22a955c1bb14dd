import type { LimitName, Limits } from '#shared/limits.ts'

/** Milliseconds within which no more than the limit is admitted, wherever they begin. */
const windowMs = 60_000

/** Requests within this time are stored as one entry with the time of the last, so that never too few are counted. */
const togetherMs = 100

/** What was admitted together. */
interface Admitted {
  readonly first: number
  last: number
  requests: number
  tokens: number
}

/** What was admitted in the last minute, oldest first, with its sums. */
export interface LimitWindow {
  readonly admitted: Admitted[]
  requests: number
  tokens: number
}

export const emptyWindow = (): LimitWindow => ({ admitted: [], requests: 0, tokens: 0 })

/** Forgets what is a minute old. */
export function expire(window: LimitWindow, now: number): void {
  const { admitted } = window
  if ((admitted.at(-1)?.last ?? 0) > now + windowMs) bringBack(admitted, now)
  let gone = 0
  for (const one of admitted) {
    if (one.last > now - windowMs) break
    window.requests -= one.requests
    window.tokens -= one.tokens
    gone += 1
  }
  if (gone > 0) admitted.splice(0, gone)
}

/** After the clock was set back, earlier requests count for a minute from now, not until their old time comes again. */
function bringBack(admitted: Admitted[], now: number): void {
  const from = admitted.findIndex(({ last }) => last > now)
  const back: Admitted = { first: now, last: now, requests: 0, tokens: 0 }
  for (const { requests, tokens } of admitted.splice(from)) {
    back.requests += requests
    back.tokens += tokens
  }
  admitted.push(back)
}

/** Not before what has been admitted already. */
export const momentIn = ({ admitted }: LimitWindow, now: number): number => Math.max(now, admitted.at(-1)?.last ?? 0)

/** Counts a request that is admitted at a moment. */
export function countRequest(
  window: LimitWindow,
  at: number,
  { requests, tokens }: Pick<LimitWindow, 'requests' | 'tokens'>,
): void {
  const newest = window.admitted.at(-1)
  if (newest && at - newest.first < togetherMs) {
    newest.last = at
    newest.requests += requests
    newest.tokens += tokens
  } else window.admitted.push({ first: at, last: at, requests, tokens })
  window.requests += requests
  window.tokens += tokens
}

/** Puts the usage in the place of the estimate, as long as the request counts. */
export function correctTokens(window: LimitWindow, at: number, difference: number): void {
  // Searched from the end, since most answers take far less than a minute.
  const one = window.admitted.findLast(({ first }) => first <= at)
  if (!one || one.last < at) return
  one.tokens += difference
  window.tokens += difference
}

export interface LimitRefusal {
  readonly limit: LimitName
  readonly waitMs: number
}

/** Which limit a further request would break, and after how long it would not; null when it breaks none. */
export function brokenLimit(
  { rpm, tpm, parallel }: Limits,
  window: LimitWindow,
  running: number,
  request: { readonly now: number; readonly tokens: number },
): LimitRefusal | null {
  const { now, tokens } = request
  expire(window, now)
  const { admitted } = window
  if (parallel > 0 && running >= parallel) return { limit: 'parallel', waitMs: 1000 }
  if (rpm > 0 && window.requests >= rpm) {
    return { limit: 'rpm', waitMs: untilFreed(admitted, window.requests + 1 - rpm, ({ requests }) => requests, now) }
  }
  // A request larger than the limit is admitted when nothing else counts.
  if (tpm > 0 && window.tokens > 0 && window.tokens + tokens > tpm) {
    const due = tokens > tpm ? window.tokens : window.tokens + tokens - tpm
    return { limit: 'tpm', waitMs: untilFreed(admitted, due, (one) => one.tokens, now) }
  }
  return null
}

function untilFreed(
  admitted: readonly Admitted[],
  due: number,
  amountOf: (one: Admitted) => number,
  now: number,
): number {
  let freed = 0
  for (const one of admitted) {
    freed += amountOf(one)
    if (freed >= due) return one.last + windowMs - now
  }
  return windowMs
}

/** Whole seconds to wait, as sent to clients. */
export const retryAfterSeconds = (waitMs: number): number => Math.min(60, Math.max(1, Math.ceil(waitMs / 1000)))

/** What is left of the limits, for the headers of an answer. */
export interface LimitState {
  readonly limit: number
  readonly remaining: number
  /** Until nothing counts any more. */
  readonly resetMs: number
}

export function stateOf(limit: number, used: number, { admitted }: LimitWindow, now: number): LimitState {
  const newest = admitted.at(-1)?.last ?? now - windowMs
  return {
    limit,
    remaining: Math.max(0, limit - used),
    resetMs: Math.min(windowMs, Math.max(0, newest + windowMs - now)),
  }
}

/** As a row of the database keeps it. */
export const writeWindow = ({ admitted }: LimitWindow): string =>
  JSON.stringify(admitted.map(({ first, last, requests, tokens }) => [first, last, requests, tokens]))

export function readWindow(text: string): LimitWindow {
  const window = emptyWindow()
  for (const [first = 0, last = 0, requests = 0, tokens = 0] of JSON.parse(text) as number[][]) {
    window.admitted.push({ first, last, requests, tokens })
    window.requests += requests
    window.tokens += tokens
  }
  return window
}
