/** The bytes of a body whose length is known: in memory once. */
export class DeclaredBytes {
  /** Bytes so far. */
  size = 0
  private readonly bytes: Uint8Array<ArrayBuffer>

  constructor(length: number) {
    this.bytes = new Uint8Array(length)
  }

  /** Throws where more comes than was declared. */
  add(piece: Uint8Array): void {
    this.bytes.set(piece, this.size)
    this.size += piece.length
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.size === this.bytes.length ? this.bytes : this.bytes.slice(0, this.size)
  }
}
