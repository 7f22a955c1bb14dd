import type { Silence } from '#server/relay/upstream/silence.ts'

/** How long the usage report may lag behind the end of an answer. */
const reportTimeoutMs = 10_000

/** How long to wait for the rest of an answer. */
export interface StreamTimeouts {
  /** The upstream is read from now on. */
  listens(): void
  /** What it sent has been decoded. */
  understood(): void
}

/** Before its end an answer may pause as long as any upstream; after it the usage report has a fixed time, which other frames do not extend. */
export function createStreamTimeouts(silence: Silence, isFinished: () => boolean): StreamTimeouts {
  let reportMs = reportTimeoutMs
  let reportSince: number | null = null
  const understood = () => {
    if (isFinished()) {
      if (reportSince !== null) reportMs -= performance.now() - reportSince
      silence.expect(reportMs)
    } else if (reportSince !== null) {
      reportMs = reportTimeoutMs
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
