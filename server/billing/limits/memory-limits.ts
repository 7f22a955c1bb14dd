import { type Correction, type LimitBook, type LimitedKind, limitKey } from './limit-check.ts'
import { correctTokens, emptyWindow, expire, type LimitWindow } from './limit-window.ts'

/** Limits of the one process that serves a SQLite file. */
export interface MemoryLimits extends LimitBook {
  correctAll(corrections: readonly Correction[]): void
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
      const window = emptyWindow()
      windows.set(key, window)
      return window
    },
    runningOf: ({ kind, id }) => running(kind, id),
    began() {},
    correctAll(corrections) {
      for (const { key, at, difference } of corrections) {
        const window = windows.get(key)
        if (window) correctTokens(window, at, difference)
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
