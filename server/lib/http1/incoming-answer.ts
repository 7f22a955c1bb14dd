import { Pieces } from '#server/lib/streams/pieces.ts'
import { headerIn, type ParsedHead } from './answer-head.ts'
import { AnswerTooLong, type BodyReading, type HttpResponse, wholeBytesMax } from './http-response.ts'

/** Applies backpressure while more than this is buffered. */
const waitingMax = 64 * 1024

export interface Flow {
  pause(): void
  resume(): void
}

type Piece = IteratorResult<Uint8Array>

/** Whoever waits for a piece, or for the whole body. */
interface Waiting {
  resolve(found: Piece | Buffer): void
  reject(error: Error): void
}

/**
 * An answer from its head on, and the part of its body that has arrived and was not read yet. A class, because one is made for every
 * request: methods on the prototype are made once.
 */
export class IncomingAnswer implements HttpResponse {
  private readonly flow: Flow
  private head: ParsedHead | null = null
  private readonly pieces = new Pieces()
  private wanted: 'piece' | 'all' | 'nothing' = 'nothing'
  private isPaused = false
  private isEnded = false
  private error: Error | null = null
  private waiting: Waiting | null = null
  private bytesMax = wholeBytesMax
  private watch: BodyReading['watch']

  constructor(flow: Flow) {
    this.flow = flow
  }

  begin(head: ParsedHead): void {
    this.head = head
  }

  get status(): number {
    return this.head?.status ?? 0
  }

  header(name: string): string | null {
    return this.head && headerIn(this.head, name)
  }

  push(bytes: Buffer): void {
    this.pieces.add(bytes)
    if (this.wanted !== 'all') return
    if (this.pieces.size > this.bytesMax) throw new AnswerTooLong()
    this.watch?.reset()
  }

  /** Hands what was pushed to the waiting reader: once for all pieces that arrived together. */
  flush(): void {
    if (this.waiting && this.isReady()) this.wake()
    else if (!this.isPaused && this.wanted !== 'all' && !this.isEnded && this.pieces.size > waitingMax) {
      this.isPaused = true
      this.flow.pause()
    }
  }

  end(): void {
    this.isEnded = true
    // The connection is free after this, and whoever uses it next waits for bytes.
    if (this.isPaused) this.flow.resume()
    this.isPaused = false
  }

  fail(cause: Error): void {
    if (this.isEnded || this.error) return
    this.error = cause
    this.wake()
  }

  next(): Promise<Piece> {
    this.wanted = 'piece'
    return this.whenReady() as Promise<Piece>
  }

  bytes(reading?: BodyReading): Promise<Buffer> {
    this.wanted = 'all'
    this.bytesMax = reading?.bytesMax ?? wholeBytesMax
    this.watch = reading?.watch
    if (this.pieces.size > this.bytesMax) return Promise.reject(new AnswerTooLong())
    return this.whenReady() as Promise<Buffer>
  }

  private isReady(): boolean {
    return this.isEnded || (this.wanted === 'piece' && this.pieces.size > 0)
  }

  private whenReady(): Promise<Piece | Buffer> {
    if (this.isReady()) return Promise.resolve(this.found())
    if (this.error) return Promise.reject(this.error)
    if (this.isPaused) {
      this.isPaused = false
      this.flow.resume()
    }
    const waiting = Promise.withResolvers<Piece | Buffer>()
    this.waiting = waiting
    return waiting.promise
  }

  private wake(): void {
    const { waiting } = this
    this.waiting = null
    if (this.error) waiting?.reject(this.error)
    else waiting?.resolve(this.found())
  }

  private found(): Piece | Buffer {
    if (this.wanted === 'all') return this.pieces.take()
    return this.pieces.size > 0 ? { done: false, value: this.pieces.take() } : { done: true, value: undefined }
  }
}
