/** How fast channels answered of late on this node. */
export interface ChannelPulse {
  answered(channelId: number, firstByteMs: number, now: number): void
  /** The median of the last answers in milliseconds; null when there was none of late. */
  latency(channelId: number, now: number): number | null
}

interface Pulse {
  readonly times: number[]
  next: number
  median: number
  lastAt: number
}

const samples = 32
const freshMs = 600_000

export function createChannelPulse(): ChannelPulse {
  const pulses = new Map<number, Pulse>()
  return {
    answered(id, firstByteMs, now) {
      const known = pulses.get(id)
      const pulse = known && now - known.lastAt < freshMs ? known : { times: [], next: 0, median: 0, lastAt: now }
      pulses.set(id, pulse)
      pulse.times[pulse.next] = firstByteMs
      pulse.next = (pulse.next + 1) % samples
      pulse.lastAt = now
      const sorted = pulse.times.toSorted((a, b) => a - b)
      pulse.median = sorted[Math.floor(sorted.length / 2)] ?? firstByteMs
    },
    latency(id, now) {
      const pulse = pulses.get(id)
      return pulse && now - pulse.lastAt < freshMs ? pulse.median : null
    },
  }
}
