/** How fast channels answered recently on this node. */
export interface ChannelLatencies {
  answered(channelId: number, firstByteMs: number, now: number): void
  /** The median of the last answers in milliseconds; null when there was none recently. */
  latency(channelId: number, now: number): number | null
}

interface Latencies {
  readonly times: number[]
  next: number
  lastAt: number
}

const samples = 32
const freshMs = 600_000

const median = (times: readonly number[]): number | null =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? null

export function createChannelLatencies(): ChannelLatencies {
  const latencies = new Map<number, Latencies>()
  return {
    answered(id, firstByteMs, now) {
      const known = latencies.get(id)
      const recent = known && now - known.lastAt < freshMs ? known : { times: [], next: 0, lastAt: now }
      latencies.set(id, recent)
      recent.times[recent.next] = firstByteMs
      recent.next = (recent.next + 1) % samples
      recent.lastAt = now
    },
    latency(id, now) {
      const recent = latencies.get(id)
      return recent && now - recent.lastAt < freshMs ? median(recent.times) : null
    },
  }
}
