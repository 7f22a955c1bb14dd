import { memoize } from '#server/lib/memoize.ts'
import { decoded } from '#server/lib/text/decoded.ts'
import { openSocksBridge } from './socks-bridge.ts'

const bridgesMax = 500

/** One bridge for each SOCKS5 address, for as long as the process lives. */
const bridgeTo = memoize(bridgesMax, (address: string) => {
  const url = new URL(address)
  return openSocksBridge({
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || 1080,
    username: decoded(url.username),
    password: decoded(url.password),
  })
})

/** The address of a proxy that `fetch` can use. */
export const proxyForFetch = (address: string): string =>
  address.startsWith('socks5:') ? bridgeTo(address).url : address

/** `fetch` through a proxy; '' is the plain one. */
export const fetchThrough = (proxy: string, plain: typeof fetch): typeof fetch =>
  proxy === ''
    ? plain
    : (Object.assign(
        (input: string | URL | Request, init?: RequestInit) =>
          fetch(input, { ...init, proxy: proxyForFetch(proxy) } as RequestInit),
        { preconnect: () => {} },
      ) as typeof fetch)
