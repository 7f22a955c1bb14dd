import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { words } from '#server/lib/words.ts'
import { ZstdFrames } from '#server/lib/zstd-frames.ts'
import { RelayFault, refuse, refuseSize } from '#server/relay/refusals.ts'

/** Pictures and recordings are large, but not larger than this; compressed bodies count by what comes out of them. */
export const bodyBytesMax = 64 * 1024 * 1024

type Decoder = (options: { readonly chunkSize: number }) => NodeJS.ReadWriteStream & AsyncIterable<Buffer>

const decoders = words<Decoder>({
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
})

/** Layers of compression: honest clients use one, and each may cost as much as the one before. */
const layersMax = 2

/** Texts shrink to a tenth or so; what shrinks more than this says nothing worth the work of reading it. */
const growthMax = 200
/** As much may come out of any packed body, however small. */
const unpackedLeast = 4 * 1024 * 1024

const chunkSize = 256 * 1024

/** How a body is packed, the outermost layer first. */
export function encodingsOf(http: Request): string[] {
  const encodings = (http.headers.get('content-encoding') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  if (encodings.length > layersMax) throw refuse('badEncoding', { encoding: encodings.slice(0, 9).join(', ') })
  return encodings.reverse()
}

/** The longest that may come out of so many packed bytes. */
export const unpackedMax = (packed: number): number =>
  Math.min(bodyBytesMax, Math.max(unpackedLeast, growthMax * packed))

function isWholeZstd(packed: Uint8Array): boolean {
  const frames = new ZstdFrames()
  frames.push(packed)
  return frames.isWhole()
}

/** What was packed, piece by piece; refused where it is longer than `bytesMax`, and where it ends too early. */
export async function* unpacked(packed: Uint8Array, encoding: string, bytesMax: number): AsyncGenerator<Buffer> {
  const createDecoder = decoders[encoding]
  if (!createDecoder) throw refuse('badEncoding', { encoding })
  if (encoding === 'zstd' && !isWholeZstd(packed)) throw refuse('brokenEncoding', { encoding })
  const decoder = createDecoder({ chunkSize })
  let size = 0
  try {
    decoder.end(packed)
    for await (const piece of decoder) {
      size += piece.length
      if (size > bytesMax)
        throw bytesMax < bodyBytesMax ? refuse('packedTooFar', { times: growthMax }) : refuseSize(bytesMax)
      yield piece
    }
  } catch (error) {
    throw error instanceof RelayFault ? error : refuse('brokenEncoding', { encoding })
  }
}
