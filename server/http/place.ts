import { memoize } from '#server/lib/memoize.ts'

/** A request's URL, and what it is to the relay. */
export interface Place {
  /** Shared with other requests to the same address, so never changed. */
  readonly url: URL
  /** Of that address, as often as it is asked for. */
  readonly path: string
  readonly isRelay: boolean
}

/** Most requests go to a few addresses. */
const rememberedMax = 1000
const longestRemembered = 200

/** Parses URLs; null for an invalid one. `relayPath` maps a path to the relay's own; null when it is not the relay's. */
export function createPlaces(relayPath: (path: string) => string | null): (address: string) => Place | null {
  const read = (address: string): Place | null => {
    const url = URL.parse(address)
    if (!url) return null
    const path = relayPath(url.pathname)
    if (path !== null && url.pathname !== path) url.pathname = path
    return { url, path: url.pathname, isRelay: path !== null }
  }
  const remembered = memoize(rememberedMax, (address: string) => ({ place: read(address) }))
  // A query may hold a key.
  return (address) =>
    address.length > longestRemembered || address.includes('?') ? read(address) : remembered(address).place
}
