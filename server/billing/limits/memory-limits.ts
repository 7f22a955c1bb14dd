import { type Correction, type LimitBook, type LimitedKind, limitedKinds, limitKey } from './limit-check.ts'
import { correctTokens, countRequest, emptyWindow, expire, type LimitWindow, momentIn } from './limit-window.ts'

/** A request that was admitted before this process began. */
export interface Recalled {
  /** Milliseconds. */
  readonly at: number
  readonly tokens: number
  readonly token: number
  readonly user: number
  readonly channel: number
}

/** Limits of the one process that serves a SQLite file. */
export interface MemoryLimits extends LimitBook {
  correctAll(corrections: readonly Correction[]): void
  /** Counts what was admitted before this process began, oldest first. */
  recall(requests: readonly Recalled[]): void
  /** What counts now, by the clock given. */
  useOf(kind: LimitedKind, id: number, now: number): { readonly requests: number; readonly tokens: number }
}

/** Beyond this many, windows in which nothing counts any more are forgotten. */
const windowsMax = 20_000

export function createMemoryLimits(running: (kind: LimitedKind, id: number) => number): MemoryLimits {
  const windows = new Map<string, LimitWindow>()
  const forgetEmpty = (now: number) => {
    for (const [key, window] of windows) {
      expire(window, now)
      if (window.admitted.length === 0) windows.delete(key)
    }
  }
  let latest = 0
  const made = (key: string): LimitWindow => {
    const window = emptyWindow()
    windows.set(key, window)
    return window
  }
  return {
    now(request) {
      latest = request.now
      return request.now
    },
    windowOf(limited) {
      const key = limitKey(limited)
      const known = windows.get(key)
      if (known) return known
      if (windows.size >= windowsMax) forgetEmpty(latest)
      return made(key)
    },
    runningOf: ({ kind, id }) => running(kind, id),
    began() {},
    correctAll(corrections) {
      for (const { key, at, difference } of corrections) {
        const window = windows.get(key)
        if (window) correctTokens(window, at, difference)
      }
    },
    recall(requests) {
      for (const request of requests) {
        for (const kind of limitedKinds) {
          if (request[kind] === 0) continue
          const key = limitKey({ kind, id: request[kind] })
          const window = windows.get(key) ?? made(key)
          countRequest(window, momentIn(window, request.at), { requests: 1, tokens: request.tokens })
        }
      }
    },
    useOf(kind, id, now) {
      const window = windows.get(limitKey({ kind, id }))
      if (!window) return { requests: 0, tokens: 0 }
      expire(window, now)
      return { requests: window.requests, tokens: Math.max(0, window.tokens) }
    },
  }
}
