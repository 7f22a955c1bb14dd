/** Rests a failing channel on this node and probes it back. */
export interface Breaker {
  resting(channelId: number, now: number): boolean
  /** No channel rests or is being probed. */
  isCalm(now: number): boolean
  /** When its rest ends, in milliseconds; 0 when it does not rest. */
  restingUntil(channelId: number): number
  /** A request goes through the channel: of a channel whose rest is over, this one is the probe. */
  begin(channelId: number, now: number): void
  /** An attempt was answered. One that began before the channel went to rest does not end the rest. */
  succeed(channelId: number, now: number, begunAt: number): void
  /** A fault that is the channel's. `retryAfterMs` is how long the provider asked to be left alone. */
  fail(channelId: number, now: number, retryAfterMs?: number): void
  /** For the metrics: channels that are not closed. */
  states(now: number): ReadonlyMap<number, 'resting' | 'probing'>
  forget(channelId: number): void
}

interface State {
  inARow: number
  recent: { at: number; ok: boolean }[]
  restFrom: number
  restUntil: number
  restMs: number
  /** When a probe was sent; 0 when none runs. */
  probeAt: number
}

const rowMax = 5
const windowMs = 30_000
const windowLeast = 10
/** A probe that never came back does not keep the channel away for ever. */
const probeTimeoutMs = 60_000
const recentMax = 200

export const restFirstMs = 10_000
export const restLongestMs = 300_000

/** Ends are stored in whole seconds, so one may be this much late. */
const roundedMs = 1000

/** Whether a rest still lasts. An end further away than the longest rest was set before the clock went back, and does not count. */
export const lastsUntil = (endMs: number, now: number): boolean =>
  now < endMs && endMs - now <= restLongestMs + roundedMs

export function createBreaker(): Breaker {
  const states = new Map<number, State>()
  const isOpen = (state: State) => state.restMs > 0
  const isResting = (state: State, now: number): boolean => {
    if (!isOpen(state)) return false
    return lastsUntil(state.restUntil, now) || (state.probeAt > 0 && Math.abs(now - state.probeAt) < probeTimeoutMs)
  }
  const record = (state: State, at: number, ok: boolean) => {
    state.recent.push({ at, ok })
    if (state.recent.length > recentMax) state.recent.shift()
  }
  const rest = (state: State, now: number, atLeastMs: number) => {
    state.restMs = Math.min(restLongestMs, state.restMs > 0 ? state.restMs * 2 : restFirstMs)
    state.restFrom = now
    state.restUntil = now + Math.min(restLongestMs, Math.max(state.restMs, atLeastMs))
    state.probeAt = 0
    state.recent = []
  }
  return {
    resting(id, now) {
      const state = states.get(id)
      return state !== undefined && isResting(state, now)
    },
    isCalm(now) {
      for (const state of states.values()) if (isResting(state, now)) return false
      return true
    },
    restingUntil: (id) => states.get(id)?.restUntil ?? 0,
    begin(id, now) {
      const state = states.get(id)
      if (state && isOpen(state) && !lastsUntil(state.restUntil, now)) state.probeAt = now
    },
    succeed(id, now, begunAt) {
      const state = states.get(id)
      if (!state) return
      if (isOpen(state)) {
        if (begunAt > state.restFrom || !lastsUntil(state.restUntil, now)) states.delete(id)
        return
      }
      state.inARow = 0
      record(state, now, true)
    },
    fail(id, now, retryAfterMs = 0) {
      const state = states.get(id) ?? { inARow: 0, recent: [], restFrom: 0, restUntil: 0, restMs: 0, probeAt: 0 }
      states.set(id, state)
      state.inARow += 1
      if (isOpen(state)) {
        if (!lastsUntil(state.restUntil, now)) rest(state, now, retryAfterMs)
        return
      }
      record(state, now, false)
      const recent = state.recent.filter((result) => now - result.at <= windowMs)
      state.recent = recent
      const failed = recent.filter((result) => !result.ok).length
      const trouble = state.inARow >= rowMax || (recent.length >= windowLeast && failed * 2 >= recent.length)
      if (trouble || retryAfterMs > 0) rest(state, now, retryAfterMs)
    },
    states: (now) =>
      new Map(
        [...states]
          .filter(([, state]) => isOpen(state))
          .map(([id, state]) => [id, lastsUntil(state.restUntil, now) ? ('resting' as const) : ('probing' as const)]),
      ),
    forget: (id) => states.delete(id),
  }
}
