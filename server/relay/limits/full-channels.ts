import type { LimitRefused } from '#server/billing/limits/limit-check.ts'

/** Channels that take no further request for a while, so that nobody has to ask again. */
export interface FullChannels {
  remember(channelId: number, by: LimitRefused, now: number): void
  find(channelId: number, now: number): LimitRefused | null
  /** No channel has been full of late. */
  isCalm(): boolean
}

export function createFullChannels(): FullChannels {
  const full = new Map<number, { readonly by: LimitRefused; readonly until: number }>()
  return {
    remember(channelId, by, now) {
      // Places and tokens may come back at any moment; requests do not before their minute is over.
      if (by.limit === 'rpm') full.set(channelId, { by, until: now + by.waitMs })
    },
    isCalm: () => full.size === 0,
    find(channelId, now) {
      const known = full.get(channelId)
      if (!known) return null
      if (known.until > now) return { ...known.by, waitMs: known.until - now }
      full.delete(channelId)
      return null
    },
  }
}
