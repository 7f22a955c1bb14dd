import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Pieces } from '#server/lib/streams/pieces.ts'
import { withoutTrailing } from '#server/lib/text/without-trailing.ts'
import { dataUrl } from './data-url.ts'
import { mediaTypeOf } from './media-type.ts'
import { isPublicAddress } from './public-address.ts'

/** The address a client named is not one we fetch; the message is for the client. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused'
}

export interface Guard {
  readonly fetch: (url: string, init: BunFetchRequestInit) => Promise<Response>
  readonly resolve: (host: string) => Promise<readonly string[]>
  readonly allows: (address: string) => boolean
  readonly maxBytes: number
  readonly timeout: number
  readonly maxRedirects: number
}

const guard: Guard = {
  fetch: (url, init) => fetch(url, init),
  resolve: async (host) => (await lookup(host, { all: true })).map((found) => found.address),
  allows: isPublicAddress,
  maxBytes: 20 * 1024 * 1024,
  timeout: 10_000,
  maxRedirects: 3,
}

interface Fetched {
  readonly bytes: Uint8Array
  readonly mediaType: string
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new FetchRefused('Only http and https addresses can be fetched.')
  return url
}

/** All addresses of a name must be public, because a second look-up may return any of them. */
async function checkedAddress(url: URL, rules: Guard): Promise<string> {
  const host = withoutTrailing(url.hostname.replace(/^\[|\]$/g, ''), '.')
  const addresses = isIP(host) ? [host] : await rules.resolve(host).catch(() => [])
  const [first] = addresses
  if (first === undefined) throw new FetchRefused(`The name ${host} cannot be resolved.`)
  if (!addresses.every(rules.allows)) throw new FetchRefused(`The address of ${host} is not on the public internet.`)
  return first
}

/** Connects to the checked address itself, so that the name cannot point elsewhere by then. */
function open(url: URL, address: string, rules: Guard, signal: AbortSignal): Promise<Response> {
  const host = isIP(address) === 6 ? `[${address}]` : address
  const port = url.port === '' ? '' : `:${url.port}`
  return rules.fetch(`${url.protocol}//${host}${port}${url.pathname}${url.search}`, {
    headers: { host: url.host, accept: '*/*' },
    redirect: 'manual',
    keepalive: false,
    signal,
    ...(url.protocol === 'https:' ? { tls: { serverName: url.hostname } } : {}),
  })
}

async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new FetchRefused(`The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`)
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const chunks = new Pieces()
  for await (const chunk of response.body ?? []) {
    chunks.add(chunk)
    if (chunks.size > maxBytes) throw tooLarge()
  }
  return chunks.take()
}

/** A good answer of an address or of one it leads to, unread. */
async function reach(start: string, rules: Guard, signal: AbortSignal): Promise<Response> {
  let url = parseAddress(start)
  for (let hop = 0; hop <= rules.maxRedirects; hop++) {
    const response = await open(url, await checkedAddress(url, rules), rules, signal)
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel()
      url = parseAddress(URL.canParse(location, url) ? new URL(location, url).href : '')
      continue
    }
    if (!response.ok) throw new FetchRefused(`${url.hostname} answered with status ${response.status}.`)
    return response
  }
  throw new FetchRefused('The address redirects too often.')
}

async function follow(start: string, rules: Guard, signal: AbortSignal): Promise<Fetched> {
  const response = await reach(start, rules, signal)
  const bytes = await readBounded(response, rules.maxBytes)
  return { bytes, mediaType: mediaTypeOf(bytes, response.headers.get('content-type')) }
}

/** An address that somebody else named, on the public internet alone; whoever reads the answer bounds it. */
export const openPublic = (url: string, signal: AbortSignal): Promise<Response> => reach(url, guard, signal)

/**
 * Bytes from an address that a client named. Reaches the public internet alone, also after redirects and whatever names
 * resolve to; 20 MB and 10 s at most.
 */
export async function guardedFetch(url: string, signal?: AbortSignal, changes: Partial<Guard> = {}): Promise<Fetched> {
  const rules = { ...guard, ...changes }
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), rules.timeout)
  const ends = AbortSignal.any(signal ? [controller.signal, signal] : [controller.signal])
  const cut = new Promise<never>((_, reject) => {
    ends.addEventListener('abort', () => reject(new FetchRefused('The file could not be fetched in time.')))
  })
  try {
    return await Promise.race([follow(url, rules, ends), cut])
  } catch (error) {
    throw error instanceof FetchRefused ? error : new FetchRefused('The file could not be fetched.', { cause: error })
  } finally {
    clearTimeout(timer)
    controller.abort()
  }
}

/** The same as a `data:` URL. */
export async function fetchAsDataUrl(url: string, signal?: AbortSignal, changes?: Partial<Guard>): Promise<string> {
  const { bytes, mediaType } = await guardedFetch(url, signal, changes)
  return dataUrl(mediaType, Buffer.from(bytes).toString('base64'))
}
