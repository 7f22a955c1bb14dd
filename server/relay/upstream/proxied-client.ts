import { createFetchClient } from '#server/lib/http1/fetch-client.ts'
import type { HttpClient } from '#server/lib/http1/http-client.ts'
import { memoize } from '#server/lib/memoize.ts'
import { proxyForFetch } from '#server/lib/proxy/proxied-fetch.ts'

const clientsMax = 500

/** One client for each proxy that channels name. */
export const proxiedClient = memoize(clientsMax, (proxy: string): HttpClient => createFetchClient(proxyForFetch(proxy)))
