import type { HttpClient } from './http-client.ts'
import type { HttpResponse } from './http-response.ts'

/** Sends requests by the runtime's own `fetch`, which knows the way through proxies: the one given, or the environment's. */
export function createFetchClient(proxy?: string): HttpClient {
  const through = proxy === undefined ? {} : { proxy }
  return {
    post(url, headers, body) {
      const controller = new AbortController()
      const { signal } = controller
      const init = {
        method: 'POST',
        headers: { ...headers },
        body,
        signal,
        redirect: 'manual',
        timeout: false,
        ...through,
      }
      const send = () => fetch(url, init as RequestInit)
      const response = send().catch((error) => {
        // A kept connection may close at the moment of its reuse: that is nobody's fault, and a new one is tried once.
        if (signal.aborted || !isStaleConnection(error)) throw error
        return send()
      })
      return { answer: response.then(answerOf), abort: () => controller.abort() }
    },
    close() {},
  }
}

const isStaleConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'ConnectionClosed')

function answerOf(response: Response): HttpResponse {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    async next() {
      reader ??= response.body?.getReader()
      return ((await reader?.read()) ?? { done: true, value: undefined }) as IteratorResult<Uint8Array>
    },
    text: () => response.text(),
  }
}
