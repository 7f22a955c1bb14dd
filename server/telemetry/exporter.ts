import type { Logger } from '#server/lib/log.ts'
import { attributes, type Span } from './span.ts'

export interface Exporter {
  add(span: Span): void
  /** Sends what waits and starts nothing more. */
  stop(): Promise<void>
}

export interface Destination {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Readonly<Record<string, string>>
}

const batchMax = 512
const waitingMax = 4096
const everyMs = 5000
const timeoutMs = 10_000

/**
 * Sends spans to a collector, in batches and in the background: spans beyond the buffer, and batches the collector does not
 * take, are dropped.
 */
export function createExporter(to: Destination, log: Logger, send: typeof fetch = fetch): Exporter {
  let waiting: Span[] = []
  let sending: Promise<void> | null = null
  let failing = false

  const post = async (spans: readonly Span[]) => {
    const scope = { name: 'switchyard' }
    const body = {
      resourceSpans: [{ resource: { attributes: attributes(to.resource) }, scopeSpans: [{ scope, spans }] }],
    }
    const answer = await send(to.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...to.headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`the collector answered with status ${answer.status}`)
  }
  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax)
      try {
        await post(batch)
        failing = false
      } catch (cause) {
        if (!failing) log.warn('traces cannot be delivered and are dropped', { cause })
        failing = true
        waiting = []
      }
    }
  }
  const start = () => {
    sending ??= flush().finally(() => {
      sending = null
    })
    return sending
  }
  const timer = setInterval(start, everyMs)
  timer.unref()
  return {
    add(span) {
      if (waiting.length < waitingMax) waiting.push(span)
      if (waiting.length >= batchMax) start()
    },
    async stop() {
      clearInterval(timer)
      await sending
      await start()
    },
  }
}
