import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { inOnePiece } from '#server/lib/streams/one-piece.ts'
import { writeJson } from '#server/lib/turns/json-pieces.ts'

export type Encoding = 'br' | 'gzip' | 'identity'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const worthwhileBytes = 1024

export const isCompressible = (type: string, size: number): boolean =>
  size >= worthwhileBytes && /^text\/|javascript|json|xml|wasm/.test(type)

/** The encodings a client takes; a quality of 0 refuses one. */
const encodingsIn = (accepted: string): string[] =>
  accepted.split(',').flatMap((part) => {
    const [name = '', quality = ''] = part.split(';').map((text) => text.trim().toLowerCase())
    return /^q=0(\.0*)?$/.test(quality) ? [] : [name]
  })

/** The best encoding a client takes. */
export function chooseEncoding(accepted: string): Encoding {
  const taken = encodingsIn(accepted)
  return taken.includes('br') ? 'br' : taken.includes('gzip') ? 'gzip' : 'identity'
}

export async function compress(bytes: Uint8Array<ArrayBuffer>, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  if (encoding === 'identity') return bytes
  const packed =
    encoding === 'br'
      ? await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
      : await zip(bytes, { level: 9 })
  return new Uint8Array(packed)
}

/** An answer for one caller: compressed quickly, as it is used once. */
export async function packedJson(value: unknown, headers: Headers, accepted: string): Promise<Response> {
  const text = (await writeJson(value)) ?? ''
  headers.set('content-type', 'application/json;charset=utf-8')
  headers.set('vary', 'accept-encoding')
  if (text.length < worthwhileBytes || !encodingsIn(accepted).includes('gzip'))
    return new Response(inOnePiece(text), { headers })
  headers.set('content-encoding', 'gzip')
  return new Response(inOnePiece(new Uint8Array(await zip(text, { level: 4 }))), { headers })
}
