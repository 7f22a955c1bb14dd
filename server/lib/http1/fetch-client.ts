import { decompressed } from './decompressed.ts'
import type { HttpClient } from './http-client.ts'
import { collectBytes, type HttpResponse } from './http-response.ts'

/** Sends requests by the runtime's own `fetch`, which knows the way through proxies: the one given, or the environment's. */
export function createFetchClient(proxy?: string): HttpClient {
  const through = proxy === undefined ? {} : { proxy }
  return {
    post(url, headers, body) {
      const controller = new AbortController()
      const init = {
        method: 'POST',
        headers: { ...headers },
        body,
        signal: controller.signal,
        redirect: 'manual',
        timeout: false,
        // Unpacked by the runtime, a few kilobytes would become one piece of any length.
        decompress: false,
        // The runtime sends a request again when a kept connection breaks, whether or not the upstream has seen it.
        keepalive: false,
        ...through,
      }
      return {
        answer: fetch(url, init as RequestInit)
          .then(answerOf)
          .then(decompressed),
        abort: () => controller.abort(),
      }
    },
    close() {},
  }
}

function answerOf(response: Response): HttpResponse {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  const next = async () => {
    reader ??= response.body?.getReader()
    return ((await reader?.read()) ?? { done: true, value: undefined }) as IteratorResult<Uint8Array>
  }
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    next,
    bytes: (reading) => collectBytes(next, reading),
  }
}
