import type { Silence } from '#server/relay/upstream/silence.ts'

/** How long the usage report may lag behind the end of an answer. */
const reportPatienceMs = 10_000

/** How long the rest of an answer is waited for. */
export interface Patience {
  /** The upstream is listened to from now on. */
  listens(): void
  /** What it sent is understood. */
  understood(): void
}

/** Text may pause as long as any upstream; behind its end there is time for a report, which other signs of life do not lengthen. */
export function createPatience(silence: Silence, isFinished: () => boolean): Patience {
  let reportMs = reportPatienceMs
  let reportSince: number | null = null
  const understood = () => {
    if (isFinished()) {
      if (reportSince !== null) reportMs -= performance.now() - reportSince
      silence.expect(reportMs)
    } else if (reportSince !== null) {
      reportMs = reportPatienceMs
      silence.reset()
    }
  }
  silence.reset()
  understood()
  return {
    listens() {
      silence.resume()
      reportSince = isFinished() ? performance.now() : null
    },
    understood,
  }
}
