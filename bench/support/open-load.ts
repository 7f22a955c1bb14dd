/** A load that does not wait for answers: requests begin at their time, whatever became of those before. */
export interface OpenLoad {
  /** What happened since the last call. */
  sample(): Sample
  /** Begins nothing more; resolves with the sums when all is answered. */
  stop(): Promise<{ requests: number; errors: number; kinds: Record<string, number> }>
}

export interface Sample {
  readonly requests: number
  readonly errors: number
  readonly running: number
  readonly p50: number
  readonly p99: number
  readonly firstByteP99: number
}

export interface OpenLoadSettings {
  readonly url: string
  readonly key: string
  readonly perSecond: number
  readonly streamShare: number
  body(stream: boolean): string
}

const tickMs = 10

const at = (times: number[], share: number): number =>
  times.sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0

export function startOpenLoad({ url, key, perSecond, streamShare, body }: OpenLoadSettings): OpenLoad {
  const running = new Set<Promise<void>>()
  const kinds: Record<string, number> = {}
  let window = { requests: 0, errors: 0, times: [] as number[], firstBytes: [] as number[] }
  let requests = 0
  let begun = 0

  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const bodies = { whole: body(false), stream: body(true) }
  const failed = (kind: string) => {
    window.errors += 1
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  const send = async (stream: boolean) => {
    const start = performance.now()
    try {
      const answer = await fetch(url, { method: 'POST', headers, body: stream ? bodies.stream : bodies.whole })
      const text = stream
        ? await readStream(answer, () => window.firstBytes.push(performance.now() - start))
        : await answer.text()
      if (!answer.ok) return failed(`status ${answer.status}`)
      if (stream && !text.includes('[DONE]')) return failed('stream cut')
      if (!stream) window.times.push(performance.now() - start)
    } catch (error) {
      failed(error instanceof Error ? error.name : 'error')
    }
  }
  const started = performance.now()
  const timer = setInterval(() => {
    const due = ((performance.now() - started) / 1000) * perSecond
    for (; begun < due; begun += 1) {
      const one: Promise<void> = send(Math.random() < streamShare).finally(() => {
        running.delete(one)
        window.requests += 1
        requests += 1
      })
      running.add(one)
    }
  }, tickMs)

  return {
    sample() {
      const { times, firstBytes, ...counts } = window
      window = { requests: 0, errors: 0, times: [], firstBytes: [] }
      return {
        ...counts,
        running: running.size,
        p50: at(times, 0.5),
        p99: at(times, 0.99),
        firstByteP99: at(firstBytes, 0.99),
      }
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      return { requests, errors: Object.values(kinds).reduce((sum, count) => sum + count, 0), kinds }
    },
  }
}

/** Reads a stream to its end and returns its last bytes. */
async function readStream(answer: Response, first: () => void): Promise<string> {
  const decoder = new TextDecoder()
  let tail = ''
  let seen = false
  for await (const chunk of answer.body ?? []) {
    if (!seen) first()
    seen = true
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-200)
  }
  return tail
}
