export interface LoadResult {
  readonly requests: number
  readonly errors: number
  readonly seconds: number
  readonly p50: number
  readonly p99: number
  /** Milliseconds to the first byte, for streams. */
  readonly firstByteP50: number
}

export interface Load {
  readonly url: string
  readonly key: string
  readonly body: string
  readonly connections: number
  readonly seconds: number
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Sends requests over a number of connections, each the next when the last has been answered, for some seconds. */
export async function runLoad({ url, key, body, connections, seconds }: Load): Promise<LoadResult> {
  const times: number[] = []
  const firstBytes: number[] = []
  let errors = 0
  const start = performance.now()
  const until = start + seconds * 1000
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const connection = async () => {
    while (performance.now() < until) {
      const began = performance.now()
      try {
        const response = await fetch(url, { method: 'POST', headers, body })
        if (body.includes('"stream":true')) await readStream(response, () => firstBytes.push(performance.now() - began))
        else await response.arrayBuffer()
        if (response.ok) times.push(performance.now() - began)
        else errors += 1
      } catch {
        errors += 1
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  times.sort((a, b) => a - b)
  firstBytes.sort((a, b) => a - b)
  return {
    requests: times.length,
    errors,
    seconds: (performance.now() - start) / 1000,
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    firstByteP50: at(firstBytes, 0.5),
  }
}

async function readStream(response: Response, first: () => void): Promise<void> {
  let seen = false
  for await (const _ of response.body ?? []) {
    if (!seen) first()
    seen = true
  }
}
