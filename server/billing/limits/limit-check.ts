import type { LimitName, Limits } from '#shared/limits.ts'
import {
  brokenLimit,
  countRequest,
  expire,
  type LimitState,
  type LimitWindow,
  momentIn,
  stateOf,
} from './limit-window.ts'

/** What has limits of its own. */
export const limitedKinds = ['token', 'user', 'channel'] as const
export type LimitedKind = (typeof limitedKinds)[number]

export interface Limited extends Limits {
  readonly kind: LimitedKind
  readonly id: number
}

export const limitKey = ({ kind, id }: Pick<Limited, 'kind' | 'id'>): string => `${kind}:${id}`

/** Asks to be counted by all these limits at once. */
export interface LimitRequest {
  /** Milliseconds; where several nodes share a database, its clock counts instead. */
  readonly now: number
  /** An estimate; the usage takes its place. */
  readonly tokens: number
  readonly of: readonly Limited[]
  /** It belongs to a request that was admitted already: its tokens count, but no limit refuses it. */
  readonly goesOn?: boolean
  /** As what it was counted before: only the rest is new. */
  readonly counted?: 'request' | 'parallel request'
}

/** Windows and running requests, as they are known under lock. */
export interface LimitBook {
  readonly now: (request: LimitRequest) => number
  /** When a request counts as admitted, where that is not known exactly: not before it was. */
  readonly moment?: (request: LimitRequest) => number
  windowOf(limited: Limited): LimitWindow
  runningOf(limited: Limited): number
  /** A request that was admitted counts as running from here on. */
  began(limited: Limited): void
}

export interface LimitRefused {
  readonly kind: LimitedKind
  readonly limit: LimitName
  readonly value: number
  readonly waitMs: number
}

/** The limits that may still refuse a request. */
const remaining = (limited: Limited, { counted }: LimitRequest): Limited =>
  counted ? { ...limited, rpm: 0, parallel: counted === 'request' ? limited.parallel : 0 } : limited

/** The first limit that a request breaks, or null. */
export function refusedBy(request: LimitRequest, book: LimitBook): LimitRefused | null {
  const now = book.now(request)
  if (request.goesOn) {
    for (const limited of request.of) expire(book.windowOf(limited), now)
    return null
  }
  for (const limited of request.of) {
    const asked = remaining(limited, request)
    const running = asked.parallel > 0 ? book.runningOf(limited) : 0
    const broken = brokenLimit(asked, book.windowOf(limited), running, { now, tokens: request.tokens })
    if (broken) return { kind: limited.kind, ...broken, value: limited[broken.limit] }
  }
  return null
}

/** What a caller has left: of each kind the limit that is nearest. */
export interface LimitsLeft {
  readonly requests: LimitState | null
  readonly tokens: LimitState | null
}

export interface LimitAdmission extends LimitsLeft {
  /** The moment by which the usage is corrected. */
  readonly at: number
}

const nearest = (a: LimitState | null, b: LimitState): LimitState => (a && a.remaining <= b.remaining ? a : b)

export function leftOf(request: LimitRequest, book: LimitBook): LimitsLeft {
  const now = book.now(request)
  let requests: LimitState | null = null
  let tokens: LimitState | null = null
  for (const limited of request.of) {
    const window = book.windowOf(limited)
    if (limited.rpm > 0) requests = nearest(requests, stateOf(limited.rpm, window.requests, window, now))
    if (limited.tpm > 0) tokens = nearest(tokens, stateOf(limited.tpm, window.tokens, window, now))
  }
  return { requests, tokens }
}

/** Counts an admitted request by all its limits. */
export function countAll(request: LimitRequest, book: LimitBook): LimitAdmission {
  const windows = request.of.map((limited) => book.windowOf(limited))
  const moment = (book.moment ?? book.now)(request)
  const at = windows.reduce((latest, window) => momentIn(window, latest), moment)
  for (const window of windows)
    countRequest(window, at, { requests: request.goesOn || request.counted ? 0 : 1, tokens: request.tokens })
  for (const limited of request.of) book.began(limited)
  return { at, ...leftOf(request, book) }
}

/** What a request used more, or less, than it was estimated to. */
export interface Correction {
  readonly key: string
  readonly at: number
  readonly difference: number
}
