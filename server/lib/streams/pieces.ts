/** So many pieces stay as they came: most bodies have fewer. */
const untouchedMost = 64
const smallBytes = 4 * 1024
const blockBytes = 64 * 1024

/**
 * The pieces of a body that is read whole. Many small ones are copied together, for each by itself takes a hundred times the memory of
 * its byte. A class, because one is made for every body: its methods are made once.
 */
export class Pieces {
  /** Bytes in all. */
  size = 0
  private list: Uint8Array[] = []
  private block: Buffer | null = null
  private used = 0

  add(piece: Uint8Array): void {
    this.size += piece.length
    if (this.list.length < untouchedMost || piece.length > smallBytes) {
      this.closeBlock()
      this.list.push(piece)
      return
    }
    if (this.used + piece.length > blockBytes) this.closeBlock()
    this.block ??= Buffer.allocUnsafe(blockBytes)
    this.block.set(piece, this.used)
    this.used += piece.length
  }

  /** All of them as one; there are none afterwards. */
  take(): Buffer {
    this.closeBlock()
    const { list } = this
    const [only] = list
    this.list = []
    this.block = null
    this.size = 0
    return only && list.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(list)
  }

  private closeBlock(): void {
    if (this.block && this.used > 0) this.list.push(Buffer.from(this.block.subarray(0, this.used)))
    this.used = 0
  }
}
