import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const worthwhileBytes = 1024

export const isCompressible = (type: string, size: number): boolean =>
  size >= worthwhileBytes && /^text\/|javascript|json|xml|wasm/.test(type)

/** The best encoding a client takes; a quality of 0 refuses one. */
export function chooseEncoding(accepted: string): Encoding {
  const taken = accepted.split(',').flatMap((part) => {
    const [name = '', quality = ''] = part.split(';').map((text) => text.trim().toLowerCase())
    return /^q=0(\.0*)?$/.test(quality) ? [] : [name]
  })
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
