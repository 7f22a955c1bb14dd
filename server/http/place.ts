import { memoize } from '#server/lib/memoize.ts'

/** Where a request goes. */
export interface Place {
  /** May be shared with other requests to the same address: nobody changes it. */
  readonly url: URL
  /** Of that address, as often as it is asked for. */
  readonly path: string
  readonly isRelay: boolean
}

/** Most requests go to a few addresses. */
const rememberedMax = 1000
const longestRemembered = 200

/** Reads addresses; null for one that is none. `relayPath` says what a path is to the relay, null when it is none of its. */
export function createPlaces(relayPath: (path: string) => string | null): (address: string) => Place | null {
  const read = (address: string): Place | null => {
    const url = URL.parse(address)
    if (!url) return null
    const path = relayPath(url.pathname)
    if (path !== null && url.pathname !== path) url.pathname = path
    return { url, path: url.pathname, isRelay: path !== null }
  }
  const remembered = memoize(rememberedMax, (address: string) => ({ place: read(address) }))
  // What stands in a query may be a key.
  return (address) =>
    address.length > longestRemembered || address.includes('?') ? read(address) : remembered(address).place
}
