import { createHash, createHmac } from 'node:crypto'

export interface Tc3Request {
  readonly secretId: string
  readonly secretKey: string
  readonly host: string
  readonly service: string
  readonly action: string
  /** The exact text that is sent. */
  readonly body: string
  /** Seconds since 1970. */
  readonly timestamp: number
}

const signedHeaders = 'content-type;host;x-tc-action'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

export function tc3CanonicalRequest(request: Pick<Tc3Request, 'host' | 'action' | 'body'>): string {
  const headers = `content-type:application/json\nhost:${request.host}\nx-tc-action:${request.action.toLowerCase()}\n`
  return `POST\n/\n\n${headers}\n${signedHeaders}\n${sha256(request.body)}`
}

/** Value of the `Authorization` header of Tencent Cloud's API 3.0. */
export function tc3Authorization(request: Tc3Request): string {
  const date = new Date(request.timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${request.service}/tc3_request`
  const toSign = `TC3-HMAC-SHA256\n${request.timestamp}\n${scope}\n${sha256(tc3CanonicalRequest(request))}`
  const key = hmac(hmac(hmac(`TC3${request.secretKey}`, date), request.service), 'tc3_request')
  const signature = hmac(key, toSign).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${request.secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
}
