/** Where a request goes. */
export interface Address {
  readonly origin: string
  readonly isSecure: boolean
  readonly hostname: string
  readonly port: number
  /** As the header `host` has it. */
  readonly host: string
  /** Path and query. */
  readonly path: string
}

export function addressOf(url: string): Address {
  const { origin, protocol, hostname, port, host, pathname, search } = new URL(url)
  const isSecure = protocol === 'https:'
  if (!isSecure && protocol !== 'http:') throw new TypeError('an upstream is reached by http or https')
  return {
    origin,
    isSecure,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    host,
    path: pathname + search,
  }
}

/** Characters allowed in a header value; beyond ASCII each is one byte. */
const isValue = /^[\t\x20-\x7e\x80-\xff]*$/
const isAscii = /^[\t\x20-\x7e]*$/

const fixedHeaders = 'accept-encoding: identity\r\nuser-agent: Switchyard\r\n'

/** A longer text becomes bytes here: what the connection does not take at once would be copied another time. */
const copiedOnceFrom = 1024 * 1024

/** A whole request, ready for the wire; the body is framed by its length. Names of headers are ours, values may be anybody's. */
export function requestBytes(
  { host, path }: Address,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): string | Buffer {
  let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${fixedHeaders}`
  let isPlain = true
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!isAscii.test(value)) {
      if (!isValue.test(value)) throw new TypeError(`the header ${name} cannot be sent`)
      isPlain = false
    }
    head += `${name}: ${value}\r\n`
  }
  const length = Buffer.byteLength(body)
  head += `content-length: ${length}\r\n\r\n`
  if (isPlain && typeof body === 'string' && length <= copiedOnceFrom) return head + body
  const bytes = Buffer.allocUnsafe(head.length + length)
  bytes.write(head, 'latin1')
  if (typeof body === 'string') bytes.write(body, head.length)
  else bytes.set(body, head.length)
  return bytes
}
