/** What has arrived of a body and was not taken yet. Either `text` or `next` is used. */
export interface BodyQueue {
  push(bytes: Buffer): void
  /** Hands what was pushed to whoever waits: once for all pieces that arrived together. */
  flush(): void
  end(): void
  fail(error: Error): void
  next(): Promise<IteratorResult<Uint8Array>>
  text(): Promise<string>
}

/** Holds the sender back while more than this waits to be taken. */
const waitingMax = 64 * 1024

export interface Flow {
  pause(): void
  resume(): void
}

interface Reader {
  resolve(): void
  reject(error: Error): void
}

const decoder = new TextDecoder()
const last: IteratorResult<Uint8Array> = { done: true, value: undefined }

export function createBodyQueue(flow: Flow): BodyQueue {
  let pieces: Buffer[] = []
  let waiting = 0
  let isWanted: 'piece' | 'all' | 'nothing' = 'nothing'
  let isPaused = false
  let isEnded = false
  let error: Error | null = null
  let reader: Reader | null = null

  const take = (): Buffer => {
    const [only] = pieces
    const taken = only && pieces.length === 1 ? only : Buffer.concat(pieces)
    pieces = []
    waiting = 0
    return taken
  }
  const wake = () => {
    const woken = reader
    reader = null
    if (error) woken?.reject(error)
    else woken?.resolve()
  }
  const isReady = () => isEnded || (isWanted === 'piece' && waiting > 0)
  const ready = (): Promise<void> | undefined => {
    if (isReady()) return undefined
    if (error) throw error
    if (isPaused) {
      isPaused = false
      flow.resume()
    }
    return new Promise((resolve, reject) => {
      reader = { resolve, reject }
    })
  }

  return {
    push(bytes) {
      pieces.push(bytes)
      waiting += bytes.length
    },
    flush() {
      if (reader && isReady()) wake()
      else if (!isPaused && isWanted !== 'all' && !isEnded && waiting > waitingMax) {
        isPaused = true
        flow.pause()
      }
    },
    end() {
      isEnded = true
    },
    fail(cause) {
      if (isEnded || error) return
      error = cause
      wake()
    },
    async next() {
      isWanted = 'piece'
      const later = ready()
      if (later) await later
      return waiting > 0 ? { done: false, value: take() } : last
    },
    async text() {
      isWanted = 'all'
      const later = ready()
      if (later) await later
      return decoder.decode(take())
    },
  }
}
