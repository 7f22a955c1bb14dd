import { view } from './view.ts'

export interface PictureSize {
  readonly width: number
  readonly height: number
}

const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

function jpegSize(bytes: Uint8Array): PictureSize | null {
  const data = view(bytes)
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    // Beginnings of frames, but for the three markers among them that mean something else.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { height: data.getUint16(at + 5), width: data.getUint16(at + 7) }
    at += 2 + data.getUint16(at + 2)
  }
  return null
}

function webpSize(bytes: Uint8Array): PictureSize | null {
  const data = view(bytes)
  switch (ascii(bytes, 12, 4)) {
    case 'VP8X':
      return { width: 1 + (data.getUint32(24, true) & 0xffffff), height: 1 + (data.getUint32(26, true) >>> 8) }
    case 'VP8L': {
      const bits = data.getUint32(21, true)
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
    }
    case 'VP8 ':
      return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff }
    default:
      return null
  }
}

/** Width and height from the first bytes of a picture; null when they do not show it. */
export function pictureSize(bytes: Uint8Array): PictureSize | null {
  try {
    if (bytes[0] === 0x89 && ascii(bytes, 1, 3) === 'PNG')
      return { width: view(bytes).getUint32(16), height: view(bytes).getUint32(20) }
    if (ascii(bytes, 0, 3) === 'GIF')
      return { width: view(bytes).getUint16(6, true), height: view(bytes).getUint16(8, true) }
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpegSize(bytes)
    return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP' ? webpSize(bytes) : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
