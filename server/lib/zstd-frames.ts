const frameMagic = 0xfd2fb528
/** Sixteen of them, whose content is skipped. */
const skippedMagic = 0x184d2a50
const repeatedByte = 1
const checksumBytes = 4

const dictionarySizes = [0, 1, 2, 4]
const contentSizes = [0, 2, 4, 8]

const numberIn = (bytes: readonly number[], from: number): number =>
  (bytes[from] ?? 0) +
  (bytes[from + 1] ?? 0) * 2 ** 8 +
  (bytes[from + 2] ?? 0) * 2 ** 16 +
  (bytes[from + 3] ?? 0) * 2 ** 24

/** How long the header of a frame is behind its magic number and descriptor. */
function headerRest(descriptor: number): number {
  const isSingle = (descriptor & 0x20) !== 0
  const sizeFlag = descriptor >> 6
  const contentSize = sizeFlag === 0 && isSingle ? 1 : (contentSizes[sizeFlag] ?? 0)
  return (isSingle ? 0 : 1) + (dictionarySizes[descriptor & 3] ?? 0) + contentSize
}

/** Follows the frames of zstd without unpacking them: its decoder takes what was cut off for an end. */
export class ZstdFrames {
  private next: 'frame' | 'skipped frame' | 'block' | 'nothing' = 'frame'
  private head: number[] = []
  private skip = 0
  private hasChecksum = false
  private isAny = false

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.next !== 'nothing'; ) {
      const skipped = Math.min(this.skip, bytes.length - at)
      this.skip -= skipped
      at += skipped
      if (at === bytes.length) return
      this.head.push(bytes[at] ?? 0)
      at += 1
      this.read()
    }
  }

  /** Whether the frames so far are whole, and nothing else was among them. */
  isWhole(): boolean {
    return this.isAny && this.next === 'frame' && this.skip === 0 && this.head.length === 0
  }

  private read(): void {
    const { head } = this
    if (this.next === 'frame' && head.length === 5) this.beginFrame(head[4] ?? 0)
    else if (this.next === 'skipped frame' && head.length === 8) this.goOn('frame', numberIn(head, 4))
    else if (this.next === 'block' && head.length === 3) this.beginBlock(numberIn(head, 0))
  }

  private beginFrame(descriptor: number): void {
    const magic = numberIn(this.head, 0)
    if (magic >= skippedMagic && magic < skippedMagic + 16) this.next = 'skipped frame'
    else if (magic !== frameMagic) this.next = 'nothing'
    else {
      this.hasChecksum = (descriptor & 4) !== 0
      this.goOn('block', headerRest(descriptor))
    }
  }

  private beginBlock(header: number): void {
    const size = ((header >> 1) & 3) === repeatedByte ? 1 : header >> 3
    const isLast = (header & 1) === 1
    this.goOn(isLast ? 'frame' : 'block', isLast && this.hasChecksum ? size + checksumBytes : size)
  }

  private goOn(next: 'frame' | 'block', skip: number): void {
    if (next === 'frame') this.isAny = true
    this.next = next
    this.skip = skip
    this.head = []
  }
}
