import { decoded } from '#server/lib/text/decoded.ts'

export interface DataUrl {
  readonly mediaType: string
  /** Without parameters, padding kept. */
  readonly base64: string
}

/** The parts of a `data:` URL, its payload always as base64; undefined for any other address. */
export function parseDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(',')
  if (comma < 0 || !/^data:/i.test(url)) return undefined
  const head = url.slice('data:'.length, comma)
  const payload = url.slice(comma + 1)
  const [mediaType = ''] = head.split(';', 1)
  const isBase64 = head.slice(-';base64'.length).toLowerCase() === ';base64'
  return {
    mediaType: mediaType === '' ? 'text/plain' : mediaType.toLowerCase().replace(/^image\/jpg$/, 'image/jpeg'),
    base64: isBase64 ? payload.trim() : Buffer.from(decoded(payload)).toString('base64'),
  }
}

export function dataUrl(mediaType: string, base64: string): string {
  return `data:${mediaType};base64,${base64}`
}

export const isPdfUrl = (url: string): boolean => /^data:application\/pdf[;,]/i.test(url)
