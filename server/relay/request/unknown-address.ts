import { editDistance } from '#server/lib/edit-distance.ts'
import { type RelayFault, refuse } from '#server/relay/refusals.ts'

export interface KnownAddress {
  readonly method: string
  readonly path: string
}

const longestCompared = 200

/** Says what to change: the method where the path is right, else the nearest address there is. */
export function unknownAddress(
  method: string,
  path: string,
  known: readonly KnownAddress[],
  fits: (address: KnownAddress, path: string) => boolean,
): RelayFault {
  const here = [...new Set(known.filter((address) => fits(address, path)).map((address) => address.method))]
  if (here.length > 0) return refuse('wrongMethod', { method, path, right: here.join(' or ') })
  const asked = path.slice(0, longestCompared)
  const [nearest] = known
    .map((address) => ({
      address,
      distance: editDistance(asked, address.path) + (address.method === method ? 0 : 1),
    }))
    .sort((one, other) => one.distance - other.distance)
  const hint = nearest ? ` Did you mean ${nearest.address.method} ${nearest.address.path}?` : ''
  return refuse('notFound', { method, path, hint })
}
