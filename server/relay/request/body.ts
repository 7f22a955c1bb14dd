import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { readBodyBytes } from '#server/http/body.ts'
import { words } from '#server/lib/words.ts'
import { ClientGone } from '#server/relay/client-gone.ts'
import { refuse, refuseSize } from '#server/relay/refusals.ts'
import type { InboundRequest } from './inbound-request.ts'

/** Pictures and recordings are large, but not larger than this; compressed bodies count by what comes out of them. */
export const bodyBytesMax = 64 * 1024 * 1024

type Decompress = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>

const decoders = words<Decompress>({
  gzip: promisify(gunzip) as Decompress,
  'x-gzip': promisify(gunzip) as Decompress,
  deflate: promisify(inflate) as Decompress,
  br: promisify(brotliDecompress) as Decompress,
  zstd: promisify(zstdDecompress) as Decompress,
})

/** Layers of compression: honest clients use one, and each may cost as much as the one before. */
const layersMax = 2

/** Texts shrink to a tenth or so; what shrinks more than this says nothing worth the work of reading it. */
const growthMax = 200
/** As much may come out of any packed body, however small. */
const unpackedLeast = 4 * 1024 * 1024

/** A body of this length usually arrives with its head, and needs no timeout of its own. */
const shortBytes = 64 * 1024

/** Conversations of agents are hardly longer, and cheaper to read than a purse is to look up. */
const cheapBytes = 512 * 1024

type Arriving = Pick<InboundRequest, 'http' | 'connection'>

const isWithin = (http: Request, bytesMax: number): boolean => {
  const length = http.headers.get('content-length')
  return length !== null && Number(length) <= bytesMax
}

const isPacked = (http: Request): boolean => http.headers.has('content-encoding')

/** Whether the body may be long, as any may that is packed: then the purse is checked before it is read. */
export const hasLongBody = ({ http }: Pick<Arriving, 'http'>): boolean => !isWithin(http, cheapBytes) || isPacked(http)

/** A client that stops sending in the middle of a body has left. */
async function arriving<Result>({ http, connection }: Arriving, body: Promise<Result>): Promise<Result> {
  try {
    const result = await body
    connection.answering()
    return result
  } catch (error) {
    if (http.signal.aborted) throw new ClientGone()
    throw error
  }
}

async function longBytes({ http, connection }: Arriving): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBodyBytes(http, bodyBytesMax, connection)
  if (!bytes) throw refuseSize(bodyBytesMax)
  return bytes
}

/** The body of a request, as its client meant it. */
export async function readBytes(inbound: Arriving): Promise<Uint8Array<ArrayBuffer>> {
  const { http } = inbound
  const encodings = (http.headers.get('content-encoding') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  if (encodings.length > layersMax) throw refuse('badEncoding', { encoding: encodings.slice(0, 9).join(', ') })
  let bytes: Uint8Array = await arriving(inbound, isWithin(http, shortBytes) ? http.bytes() : longBytes(inbound))
  const bytesMax = Math.min(bodyBytesMax, Math.max(unpackedLeast, growthMax * bytes.byteLength))
  for (const encoding of encodings.reverse()) bytes = await decompressed(bytes, encoding, bytesMax)
  return new Uint8Array(bytes)
}

/** The body as text. */
export function readText(inbound: Arriving): Promise<string> {
  const { http } = inbound
  if (isWithin(http, shortBytes) && !isPacked(http)) return arriving(inbound, http.text())
  return readBytes(inbound).then((bytes) => new TextDecoder().decode(bytes))
}

async function decompressed(bytes: Uint8Array, encoding: string, bytesMax: number): Promise<Uint8Array> {
  const decode = decoders[encoding]
  if (!decode) throw refuse('badEncoding', { encoding })
  try {
    return await decode(bytes, { maxOutputLength: bytesMax })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (!isTooLarge) throw refuse('brokenEncoding', { encoding })
    throw bytesMax < bodyBytesMax ? refuse('packedTooFar', { times: growthMax }) : refuseSize(bodyBytesMax)
  }
}
