/** How a channel fared in a half hour. */
export type Tick = 'failing' | 'resting' | 'limited' | 'answering' | 'idle'

export interface ChannelHours {
  /** Where each half hour begins. */
  readonly buckets: readonly number[]
  readonly requests: readonly number[]
  readonly failed: readonly number[]
  /** Quarter hours in which the vendor limited the rate, and those in which the channel rested. */
  readonly limited: readonly number[]
  readonly rested: readonly number[]
}

const failingShare = 0.1
const halfHour = 1800

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** The share of requests that were answered; null when there were none. */
export function answeredShare(requests: readonly number[], failed: readonly number[]): number | null {
  const asked = sum(requests)
  return asked === 0 ? null : 1 - sum(failed) / asked
}

/** The worst of each half hour; a channel that rests now does so in the last one. */
export function ticksOf({ buckets, requests, failed, limited, rested }: ChannelHours, restsNow: boolean): Tick[] {
  return buckets.map((start, at) => {
    const has = (slots: readonly number[]) => slots.some((slot) => slot >= start && slot < start + halfHour)
    const asked = requests[at] ?? 0
    if (restsNow && at === buckets.length - 1) return 'resting'
    if (asked > 0 && (failed[at] ?? 0) / asked >= failingShare) return 'failing'
    if (has(rested)) return 'resting'
    if (has(limited)) return 'limited'
    return asked > 0 ? 'answering' : 'idle'
  })
}
