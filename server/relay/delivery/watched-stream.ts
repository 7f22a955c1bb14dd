import type { Outcome } from '#server/relay/relayed-request.ts'

export interface Watching {
  /** The longest silence of the source, in milliseconds. */
  readonly sourceMs: number
  /** How long the reader may pause. */
  readonly readerMs: number
  /** Ends the source. */
  abort(): void
  /** Called once; the reader sees the end only after it. */
  ended(outcome: Outcome): Promise<void>
}

/** Passes bytes on as the reader takes them, and reports how the stream ended. */
export function watchedStream(
  source: ReadableStream<Uint8Array>,
  gone: AbortSignal,
  { sourceMs, readerMs, abort, ended }: Watching,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  let ending: Promise<void> | null = null
  let resting: ReturnType<typeof setTimeout> | undefined
  const end = (outcome: Outcome): Promise<void> => {
    clearTimeout(resting)
    ending ??= ended(outcome)
    return ending
  }
  const leave = () => {
    const cut = end('cut')
    abort()
    return cut
  }
  gone.addEventListener('abort', leave, { once: true })
  if (gone.aborted) leave()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(resting)
        const silent = setTimeout(abort, sourceMs)
        try {
          const { done, value } = await reader.read()
          clearTimeout(silent)
          if (done) {
            await end('done')
            controller.close()
            return
          }
          controller.enqueue(value)
          resting = setTimeout(leave, readerMs)
        } catch (error) {
          clearTimeout(silent)
          await end('failed')
          controller.error(error)
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  )
}
