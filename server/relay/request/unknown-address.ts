import { type RelayFault, refuse } from '#server/relay/refusals.ts'

export interface KnownAddress {
  readonly method: string
  readonly path: string
}

/** How many letters must be added, taken away or changed to make one text of the other. */
function editDistance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const now = [row]
    for (let at = 1; at <= other.length; at++) {
      const change = (before[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1)
      now[at] = Math.min(change, (before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1)
    }
    before = now
  }
  return before[other.length] ?? 0
}

const longestCompared = 200

/** Whoever names a vendor's version means that vendor. */
const otherVersion = 4
const versionOf = (path: string): string => path.split('/')[1] ?? ''

/** Says what to change: the method where the path is right, else the nearest address there is. */
export function unknownAddress(
  method: string,
  path: string,
  known: readonly KnownAddress[],
  fits: (address: KnownAddress, path: string) => boolean,
): RelayFault {
  const here = [...new Set(known.filter((address) => fits(address, path)).map((address) => address.method))]
  if (here.length > 0) return refuse('wrongMethod', { method, path, right: here.join(' or ') })
  const asked = path.slice(0, longestCompared).replace(/^\/v1alpha\b/, '/v1beta')
  const [nearest] = known
    .map((address) => ({
      address,
      distance:
        editDistance(asked, address.path) +
        (address.method === method ? 0 : 1) +
        (versionOf(address.path) === versionOf(asked) ? 0 : otherVersion),
    }))
    .sort((one, other) => one.distance - other.distance)
  const hint = nearest ? ` Did you mean ${nearest.address.method} ${nearest.address.path}?` : ''
  return refuse('notFound', { method, path, hint })
}
