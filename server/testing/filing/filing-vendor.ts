import { anthropicFiling } from './anthropic-filing.ts'
import { geminiFiling } from './gemini-filing.ts'
import { openaiFiling } from './openai-filing.ts'
import { createShelf, type Shelf } from './shelf.ts'

/** A vendor that keeps files and works on batches: OpenAI, Anthropic and Google, distinguished by how the key is sent. */
export interface FilingVendor extends Pick<Shelf, 'files' | 'batches' | 'usage'> {
  readonly url: string
  /** Method and path of all it was asked, in order. */
  readonly seen: string[]
  /** Ends a batch, with as many of its lines answered as said; all of them unless said. */
  end(id: string, status: string, answered?: number): void
  /** Asked of every request first; a response is given in place of the usual one. */
  instead: ((method: string, path: string, key: string) => Response | undefined | Promise<Response | undefined>) | null
  /** Whether the answer to a request that was served breaks off before its client has read it. */
  loses: ((method: string, path: string) => boolean | Promise<boolean>) | null
  stop(): Promise<void>
}

const keyOf = ({ headers }: Request): string =>
  headers.get('x-api-key') ??
  headers.get('x-goog-api-key') ??
  headers.get('authorization')?.slice('Bearer '.length) ??
  ''

/** A head, and a body that never ends well. */
const brokenOff = () =>
  new Response(
    new ReadableStream({
      start(to) {
        to.enqueue(new TextEncoder().encode('{'))
        setTimeout(() => to.error(new Error('broken off')), 10)
      },
    }),
  )

export function startFilingVendor(): FilingVendor {
  const shelf = createShelf()
  const [openai, anthropic, gemini] = [openaiFiling(shelf), anthropicFiling(shelf), geminiFiling(shelf)]
  const seen: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    maxRequestBodySize: 1024 ** 3,
    async fetch(request) {
      const url = new URL(request.url)
      seen.push(`${request.method} ${url.pathname}`)
      const other = await vendor.instead?.(request.method, url.pathname, keyOf(request))
      if (other) return other
      const isGoogle = request.headers.has('x-goog-api-key') || url.pathname === '/resumable'
      const filing = request.headers.has('x-api-key') ? anthropic : isGoogle ? gemini : openai
      const answer = await filing.serve(request, url)
      return (await vendor.loses?.(request.method, url.pathname)) ? brokenOff() : answer
    },
  })
  const makerOf = (id: string) => {
    if (id.startsWith('batch_')) return openai
    return id.startsWith('msgbatch_') ? anthropic : gemini
  }
  const vendor: FilingVendor = {
    ...shelf,
    url: `http://127.0.0.1:${server.port}`,
    seen,
    instead: null,
    loses: null,
    end(id, status, answered) {
      const batch = shelf.batches.get(id)
      if (!batch) throw new Error(`no batch ${id}`)
      makerOf(id).end(id, batch, status, batch.lines.slice(0, answered ?? batch.lines.length))
    },
    stop: () => server.stop(true),
  }
  return vendor
}
