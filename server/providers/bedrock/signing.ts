import { createHash, createHmac } from 'node:crypto'

export interface SignedRequest {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly service: string
  readonly method: string
  readonly url: URL
  /** Lower-case names; `host` and `x-amz-date` are added. */
  readonly headers: Readonly<Record<string, string>>
  /** Exactly what is sent. */
  readonly body: string | Uint8Array
  /** Milliseconds since 1970. */
  readonly now: number
}

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** `20150830T123600Z` */
const amzDate = (now: number): string => new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, '')

const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** What the address says already is encoded once more, segment by segment: only S3 does otherwise. */
const canonicalPath = (path: string): string => path.split('/').map(escaped).join('/')

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&')

export function canonicalRequest(request: SignedRequest): { text: string; signedHeaders: string } {
  const { method, url, headers, body, now } = request
  const all = Object.entries({ ...headers, host: url.host, 'x-amz-date': amzDate(now) })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/\s+/g, ' ')] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const signedHeaders = all.map(([name]) => name).join(';')
  const lines = all.map(([name, value]) => `${name}:${value}\n`).join('')
  const parts = [
    method,
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    lines,
    signedHeaders,
    sha256(body),
  ]
  return { text: parts.join('\n'), signedHeaders }
}

/** The headers that prove a request to AWS (Signature Version 4). */
export function signedHeaders(request: SignedRequest): Record<string, string> {
  const { accessKeyId, secretAccessKey, region, service, now } = request
  const date = amzDate(now)
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`
  const canonical = canonicalRequest(request)
  const toSign = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical.text)}`
  const dateKey = hmac(`AWS4${secretAccessKey}`, date.slice(0, 8))
  const signature = hmac(hmac(hmac(hmac(dateKey, region), service), 'aws4_request'), toSign).toString('hex')
  return {
    'x-amz-date': date,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${canonical.signedHeaders}, Signature=${signature}`,
  }
}
