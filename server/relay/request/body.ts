import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { refuse } from '#server/relay/refusals.ts'

/** Pictures and recordings are large, but not larger than this; compressed bodies count by what comes out of them. */
export const bodyBytesMax = 64 * 1024 * 1024

type Decompress = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>

const decoders: Readonly<Record<string, Decompress>> = {
  gzip: promisify(gunzip) as Decompress,
  'x-gzip': promisify(gunzip) as Decompress,
  deflate: promisify(inflate) as Decompress,
  br: promisify(brotliDecompress) as Decompress,
  zstd: promisify(zstdDecompress) as Decompress,
}

/** The body of a request, as its client meant it. */
export async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length')) > bodyBytesMax) throw refuse('tooLarge')
  const encodings = (request.headers.get('content-encoding') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  let bytes: Uint8Array = await request.bytes()
  for (const encoding of encodings.reverse()) bytes = await decompressed(bytes, encoding)
  return new Uint8Array(bytes)
}

/** The same as text, which most bodies are. */
export async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length')) > bodyBytesMax) throw refuse('tooLarge')
  if (!request.headers.has('content-encoding')) return request.text()
  return new TextDecoder().decode(await readBytes(request))
}

async function decompressed(bytes: Uint8Array, encoding: string): Promise<Uint8Array> {
  const decode = decoders[encoding]
  if (!decode) throw refuse('badEncoding', { encoding })
  try {
    return await decode(bytes, { maxOutputLength: bodyBytesMax })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLarge ? refuse('tooLarge') : refuse('brokenEncoding', { encoding })
  }
}
