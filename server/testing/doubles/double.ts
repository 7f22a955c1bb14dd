import { type JsonObject, parseObject } from '#server/lib/json.ts'

export interface SeenRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly body: JsonObject
}

export interface Double {
  /** Base address for a channel, without a trailing slash. */
  readonly url: string
  /** The key a channel needs. */
  readonly key: string
  /** Everything that was asked, oldest first. */
  readonly requests: readonly SeenRequest[]
  stop(): void
}

/** A protocol: answers one request, already recorded. `url` is the double's own base. */
export interface Protocol {
  readonly key: string
  answer(request: SeenRequest, url: string): Response
}

async function recorded(request: Request): Promise<SeenRequest> {
  const { pathname, search } = new URL(request.url)
  const text = await request.text()
  const headers = Object.fromEntries(request.headers)
  return { method: request.method, path: `${pathname}${search}`, headers, text, body: parseObject(text) }
}

/** A local server that speaks a protocol over plain HTTP. */
export function serve(protocol: Protocol): Double {
  const requests: SeenRequest[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const seen = await recorded(request)
      requests.push(seen)
      return protocol.answer(seen, new URL(request.url).origin)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    key: protocol.key,
    requests,
    stop: () => void server.stop(true),
  }
}
