import { othersTurn } from '#server/lib/others-turn.ts'

/** Others have their turn after so many bytes: they may be thousands of frames. */
const pieceBytes = 64 * 1024

type Chunk = IteratorResult<Uint8Array, undefined>

/** The bytes of an answer in pieces, however long the upstream makes them. A class, because one is made for every answer. */
export class PacedChunks implements AsyncIterator<Uint8Array, undefined> {
  private readonly source: AsyncIterator<Uint8Array, undefined>
  private rest: Uint8Array | null = null
  private sinceTurn = 0

  constructor(source: AsyncIterator<Uint8Array, undefined>) {
    this.source = source
  }

  next(): Promise<Chunk> {
    if (this.sinceTurn >= pieceBytes) return this.afterTurn()
    return this.rest ? Promise.resolve(this.cut(this.rest)) : this.source.next().then(this.seen)
  }

  private async afterTurn(): Promise<Chunk> {
    await othersTurn()
    this.sinceTurn = 0
    return this.next()
  }

  private readonly seen = (chunk: Chunk): Chunk => (chunk.done ? chunk : this.cut(chunk.value))

  private cut(bytes: Uint8Array): Chunk {
    const value = bytes.length > pieceBytes ? bytes.subarray(0, pieceBytes) : bytes
    this.rest = value === bytes ? null : bytes.subarray(pieceBytes)
    this.sinceTurn += value.length
    return { done: false, value }
  }
}
