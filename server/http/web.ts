import type { Context } from '#server/context.ts'
import { memoizeSuccess } from '#server/lib/memoize.ts'
import { inOnePiece } from '#server/lib/streams/one-piece.ts'
import type { AssetSource } from './assets.ts'
import { networkOf } from './client-address.ts'
import { chooseEncoding, compress, type Encoding, isCompressible } from './compress.ts'
import { pageHeaders } from './page-headers.ts'
import type { RateLimiter } from './rate-limit.ts'

export type Web = (request: Request, url: URL, clientAddress: string) => Promise<Response>

const page = '/index.html'
/** The build puts a hash of the content into the names of these. */
const hashedFolder = '/assets/'

interface Prepared {
  readonly type: string
  readonly etag: string
  /** Compressed when first asked for, and kept. */
  body(encoding: Encoding): Promise<Uint8Array<ArrayBuffer>>
  readonly compressible: boolean
}

/** The console's files. Every other path is answered with the page, which routes by itself. */
export function createWeb(ctx: Pick<Context, 'options' | 'log'>, limiter: RateLimiter, source: AssetSource): Web {
  const known = new Set(source.paths)
  const load = memoizeSuccess((path: string) => prepare(source, path))
  return async (request, url, clientAddress) => {
    const headers = new Headers(pageHeaders(ctx.options()))
    if (!(await admits(ctx, limiter, clientAddress))) {
      return plain(429, 'too many requests, try again later', headers)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(404, 'not found', headers)
    const path = known.has(url.pathname) ? url.pathname : page
    if (path === page && url.pathname.startsWith(hashedFolder)) return plain(404, 'not found', headers)
    const asset = known.has(path) ? await load(path).catch(undefinedIfGone) : undefined
    if (asset) return send(request, asset, path, headers)
    if (path !== page) return plain(404, 'not found', headers)
    return plain(503, 'The console has not been built; `npm start` builds it.', headers)
  }
}

/** Pages need no database; while it is unreachable they are served without a rate limit. */
async function admits({ log }: Pick<Context, 'log'>, limiter: RateLimiter, client: string): Promise<boolean> {
  try {
    return await limiter.allow('web', networkOf(client))
  } catch (error) {
    log.warn('a page request could not be counted', { cause: error })
    return true
  }
}

/** A new build removes the files this process knew at its start. */
function undefinedIfGone(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

async function prepare(source: AssetSource, path: string): Promise<Prepared> {
  const { type, bytes } = await source.read(path)
  const compressible = isCompressible(type, bytes.byteLength)
  return {
    type,
    compressible,
    etag: `W/"${Bun.hash(bytes).toString(36)}"`,
    body: memoizeSuccess((encoding) => compress(bytes, encoding)),
  }
}

async function send(request: Request, asset: Prepared, path: string, headers: Headers): Promise<Response> {
  headers.set('cache-control', path.startsWith(hashedFolder) ? 'public, max-age=31536000, immutable' : 'no-cache')
  headers.set('etag', asset.etag)
  if (asset.compressible) headers.set('vary', 'accept-encoding')
  if (request.headers.get('if-none-match') === asset.etag) return new Response(null, { status: 304, headers })
  const encoding = asset.compressible ? chooseEncoding(request.headers.get('accept-encoding') ?? '') : 'identity'
  headers.set('content-type', asset.type)
  if (encoding !== 'identity') headers.set('content-encoding', encoding)
  const body = await asset.body(encoding)
  // An answer without a body declares the length only of one that is held whole.
  return new Response(request.method === 'HEAD' ? body : inOnePiece(body), { headers })
}

function plain(status: number, text: string, headers: Headers): Response {
  headers.set('content-type', 'text/plain; charset=utf-8')
  headers.set('cache-control', 'no-store')
  return new Response(`${text}\n`, { status, headers })
}
