import { AnswerTooLong, type Reading, wholeBytesMax } from './http-response.ts'

/** What has arrived of a body and was not taken yet. Either `text` or `next` is used. */
export interface BodyQueue {
  push(bytes: Buffer): void
  /** Hands what was pushed to whoever waits: once for all pieces that arrived together. */
  flush(): void
  end(): void
  fail(error: Error): void
  next(): Promise<IteratorResult<Uint8Array>>
  text(reading?: Reading): Promise<string>
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

export function createBodyQueue(flow: Flow): BodyQueue {
  let pieces: Buffer[] = []
  let waiting = 0
  let isWanted: 'piece' | 'all' | 'nothing' = 'nothing'
  let isPaused = false
  let isEnded = false
  let error: Error | null = null
  let reader: Reader | null = null
  let bytesMax = wholeBytesMax
  let arrived: (() => void) | undefined

  const take = (): Buffer => {
    const [only] = pieces
    const taken = only && pieces.length === 1 ? only : Buffer.concat(pieces)
    pieces = []
    waiting = 0
    return taken
  }
  const isReady = () => isEnded || (isWanted === 'piece' && waiting > 0)
  const wake = () => {
    const woken = reader
    reader = null
    if (error) woken?.reject(error)
    else woken?.resolve()
  }
  const whenReady = <Result>(result: () => Result): Promise<Result> => {
    if (isReady()) return Promise.resolve(result())
    if (error) return Promise.reject(error)
    if (isPaused) {
      isPaused = false
      flow.resume()
    }
    return new Promise((resolve, reject) => {
      reader = { resolve: () => resolve(result()), reject }
    })
  }
  const nextPiece = (): IteratorResult<Uint8Array> =>
    waiting > 0 ? { done: false, value: take() } : { done: true, value: undefined }
  const allText = () => decoder.decode(take())

  return {
    push(bytes) {
      pieces.push(bytes)
      waiting += bytes.length
      if (isWanted !== 'all') return
      if (waiting > bytesMax) throw new AnswerTooLong()
      arrived?.()
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
      // The connection is free after this, and whoever uses it next waits for bytes.
      if (isPaused) flow.resume()
      isPaused = false
    },
    fail(cause) {
      if (isEnded || error) return
      error = cause
      wake()
    },
    next() {
      isWanted = 'piece'
      return whenReady(nextPiece)
    },
    text(reading) {
      isWanted = 'all'
      bytesMax = reading?.bytesMax ?? wholeBytesMax
      arrived = reading?.arrived
      if (waiting > bytesMax) return Promise.reject(new AnswerTooLong())
      return whenReady(allText)
    },
  }
}
