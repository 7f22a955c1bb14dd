const speechMs = [10, 20, 40, 60]
const mixedMs = [10, 20]
const musicMs = [2.5, 5, 10, 20]

/** How long a packet of Opus plays: its first byte holds how long a frame is, and how many there are. */
export function opusSeconds(first: number, second: number): number {
  const kind = first >> 3
  const ms = kind < 12 ? speechMs[kind & 3] : kind < 16 ? mixedMs[kind & 1] : musicMs[kind & 3]
  const frames = [1, 2, 2, second & 63][first & 3] ?? 1
  return (frames * (ms ?? 0)) / 1000
}
