import { once } from 'node:events'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { words } from '#server/lib/words.ts'
import { ZstdFrames } from '#server/lib/zstd-frames.ts'
import { collectBytes, type HttpResponse, MalformedAnswer } from './http-response.ts'

const formats = words<CompressionFormat>({
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli' as CompressionFormat,
  zstd: 'zstd' as CompressionFormat,
})

function codingIn(header: string | null): string {
  const name = header?.trim().toLowerCase() ?? ''
  return name === 'identity' ? '' : name
}

/** What unpacks a content coding: null when nothing is packed, undefined when nobody knows. */
export function unpacker(header: string | null): DecompressionStream | null | undefined {
  const coding = codingIn(header)
  if (coding === '') return null
  const format = formats[coding]
  return format && new DecompressionStream(format)
}

type Decoder = ReturnType<typeof createGunzip>
type Pieces = AsyncIterator<Uint8Array, undefined>

const decoders = words<(options: { readonly chunkSize: number }) => Decoder>({
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
})

/** No piece that was unpacked is longer, however far it was packed. */
const chunkSize = 64 * 1024

/** The answer, decompressed. We never ask for compression; some upstreams compress anyway. */
export function decompressed(answer: HttpResponse): HttpResponse {
  const coding = codingIn(answer.header('content-encoding'))
  if (coding === '') return answer
  const createDecoder = decoders[coding]
  if (!createDecoder) throw new MalformedAnswer('the answer is compressed in an unknown way')
  let pieces: Pieces | undefined
  const next = () => {
    pieces ??= unpackedPieces(answer, createDecoder({ chunkSize }), coding === 'zstd' ? new ZstdFrames() : null)
    return pieces.next()
  }
  return {
    status: answer.status,
    header: (name) => answer.header(name),
    next,
    bytes: (reading) => collectBytes(next, reading),
  }
}

function unpackedPieces(answer: HttpResponse, decoder: Decoder, frames: ZstdFrames | null): Pieces {
  // Whoever reads learns of it.
  decoder.on('error', () => {})
  feed(answer, decoder, frames).catch((error) => decoder.destroy(error))
  return decoder[Symbol.asyncIterator]() as Pieces
}

/** Reads on only while what was unpacked is taken. */
async function feed(answer: HttpResponse, decoder: Decoder, frames: ZstdFrames | null): Promise<void> {
  for (let piece = await answer.next(); !piece.done; piece = await answer.next()) {
    frames?.push(piece.value)
    if (!decoder.write(piece.value)) await once(decoder, 'drain')
  }
  if (frames && !frames.isWhole()) throw new MalformedAnswer('the compressed answer was cut off')
  decoder.end()
}
