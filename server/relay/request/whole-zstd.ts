const frameMagic = 0xfd2fb528
/** Sixteen of them, whose content is skipped. */
const skippedMagic = 0x184d2a50
const repeatedByte = 1

const dictionarySizes = [0, 1, 2, 4]
const contentSizes = [0, 2, 4, 8]

/** Where the frame that begins here ends; past the end where it is cut off, null where no frame begins. */
function frameEnd(bytes: DataView, from: number): number | null {
  if (from + 8 > bytes.byteLength) return bytes.byteLength + 1
  const magic = bytes.getUint32(from, true)
  if (magic >= skippedMagic && magic < skippedMagic + 16) return from + 8 + bytes.getUint32(from + 4, true)
  if (magic !== frameMagic) return null
  const descriptor = bytes.getUint8(from + 4)
  const isSingle = (descriptor & 0x20) !== 0
  const sizeFlag = descriptor >> 6
  const contentSize = sizeFlag === 0 && isSingle ? 1 : (contentSizes[sizeFlag] ?? 0)
  const headerSize = 5 + (isSingle ? 0 : 1) + (dictionarySizes[descriptor & 3] ?? 0) + contentSize
  const end = blocksEnd(bytes, from + headerSize)
  return end + ((descriptor & 4) === 0 ? 0 : 4)
}

/** Where the last block of a frame ends. */
function blocksEnd(bytes: DataView, from: number): number {
  for (let at = from; at + 3 <= bytes.byteLength; ) {
    const header = bytes.getUint16(at, true) | (bytes.getUint8(at + 2) << 16)
    const isRepeated = ((header >> 1) & 3) === repeatedByte
    at += 3 + (isRepeated ? 1 : header >> 3)
    if ((header & 1) === 1) return at
  }
  return bytes.byteLength + 1
}

/** Whether nothing is missing at the end. What the bytes hold is for the decoder to say. */
export function isWholeZstd(packed: Uint8Array): boolean {
  const bytes = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  let at = 0
  while (at < packed.length) {
    const end = frameEnd(bytes, at)
    // What follows a frame and is none is ignored, as with other encodings.
    if (end === null) return true
    if (end > packed.length) return at > 0 && packed.length - at < 4
    at = end
  }
  return packed.length > 0
}
