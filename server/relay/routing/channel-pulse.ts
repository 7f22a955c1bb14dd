/** How fast channels answered of late on this node. */
export interface ChannelPulse {
  answered(channelId: number, firstByteMs: number, now: number): void
  /** The median of the last answers in milliseconds; null when there was none of late. */
  latency(channelId: number, now: number): number | null
}

interface Pulse {
  readonly times: number[]
  next: number
  lastAt: number
}

const samples = 32
const freshMs = 600_000

const median = (times: readonly number[]): number | null =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? null

export function createChannelPulse(): ChannelPulse {
  const pulses = new Map<number, Pulse>()
  return {
    answered(id, firstByteMs, now) {
      const known = pulses.get(id)
      const pulse = known && now - known.lastAt < freshMs ? known : { times: [], next: 0, lastAt: now }
      pulses.set(id, pulse)
      pulse.times[pulse.next] = firstByteMs
      pulse.next = (pulse.next + 1) % samples
      pulse.lastAt = now
    },
    latency(id, now) {
      const pulse = pulses.get(id)
      return pulse && now - pulse.lastAt < freshMs ? median(pulse.times) : null
    },
  }
}
