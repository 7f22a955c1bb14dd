import type { LimitRefused } from '#server/billing/limits/limit-check.ts'
import type { Limits } from '#shared/limits.ts'

export interface LimitedChannel {
  readonly id: number
  readonly limits: Limits
}

/** Channels that take no further request for a while, so that nobody has to ask again. */
export interface FullChannels {
  remember(channelId: number, by: LimitRefused, now: number): void
  /** Null also when its limit is another by now. */
  find(channel: LimitedChannel, now: number): LimitRefused | null
  /** No channel is full. */
  isCalm(now: number): boolean
}

export function createFullChannels(): FullChannels {
  const full = new Map<number, { readonly by: LimitRefused; readonly until: number }>()
  return {
    remember(channelId, by, now) {
      // Only a limit of requests is remembered: parallel places and tokens may be free again at any moment.
      if (by.limit === 'rpm') full.set(channelId, { by, until: now + by.waitMs })
    },
    isCalm(now) {
      // Nobody may ask again for a channel that was deleted, or whose limits were taken away.
      for (const [id, { until }] of full) if (until <= now) full.delete(id)
      return full.size === 0
    },
    find({ id, limits }, now) {
      const known = full.get(id)
      if (!known) return null
      if (known.until > now && known.by.value === limits.rpm) return { ...known.by, waitMs: known.until - now }
      full.delete(id)
      return null
    },
  }
}
