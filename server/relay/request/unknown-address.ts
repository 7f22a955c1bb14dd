import { type RelayFault, refuse } from '#server/relay/refusals.ts'

export interface KnownAddress {
  readonly method: string
  readonly path: string
}

/** Anybody may ask for any address, so little is compared: what is long stands for an id, what is far off was not meant. */
const longestCompared = 64
const longId = /[^/]{33,}/g
const farOff = 24

let before = new Uint16Array(longestCompared + 2)
let now = new Uint16Array(longestCompared + 2)

/** How many letters must be added, taken away or changed to make one text of the other; `most` where it is no less. */
function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) >= most) return most
  for (let at = 0; at <= other.length; at++) before[at] = at
  for (let row = 1; row <= one.length; row++) {
    const letter = one.charCodeAt(row - 1)
    let least = row
    now[0] = row
    for (let at = 1; at <= other.length; at++) {
      const change = (before[at - 1] ?? 0) + (letter === other.charCodeAt(at - 1) ? 0 : 1)
      const distance = Math.min(change, (before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1)
      now[at] = distance
      if (distance < least) least = distance
    }
    if (least >= most) return most
    ;[before, now] = [now, before]
  }
  return before[other.length] ?? most
}

/** Whoever names a vendor's version means that vendor. */
const otherVersion = 4
/** Whoever stops short of an address means it, however long the rest is. */
const begun = 1
const versionOf = (path: string): string => path.split('/')[1] ?? ''

const version = /^v\d/i
/** Whoever puts something in front of a version means what stands behind it. */
const inFront = /^\/.*?(?=\/v\d+(?:alpha|beta)?\/)/

const wordsOf = (path: string): string[] =>
  path.split('/').filter((word) => word !== '' && !word.startsWith('{') && !version.test(word))

/** Whether some word of the one is nearly a word of the other: no address is meant that shares nothing but its length. */
function isAkin(asked: readonly string[], known: readonly string[]): boolean {
  return asked.some((one) => {
    const most = Math.floor(one.length / 3) + 1
    return known.some((other) => editDistance(one, other, most) < most)
  })
}

/** Says what to change: the method where the path is right, else the nearest address there is. */
export function unknownAddress(
  method: string,
  path: string,
  known: readonly KnownAddress[],
  fits: (address: KnownAddress, path: string) => boolean,
): RelayFault {
  const here = [...new Set(known.filter((address) => fits(address, path)).map((address) => address.method))]
  if (here.length > 0) return refuse('wrongMethod', { method, path, right: here.join(' or ') })
  const nearest = nearestTo(method, path, known)
  const hint = nearest ? ` Did you mean ${nearest.method} ${nearest.path}?` : ''
  return refuse('notFound', { method, path, hint })
}

function nearestTo(method: string, path: string, known: readonly KnownAddress[]): KnownAddress | null {
  const asked = path
    .replace(longId, '{id}')
    .slice(0, longestCompared)
    .replace(inFront, '')
    .replace(/^\/v1alpha\b/, '/v1beta')
  const words = wordsOf(asked)
  let nearest: KnownAddress | null = null
  let least = farOff
  for (const address of known) {
    const apart =
      (address.method === method ? 0 : 1) + (versionOf(address.path) === versionOf(asked) ? 0 : otherVersion)
    const isBegun = address.path.startsWith(`${asked}/`)
    if (!isBegun && !isAkin(words, wordsOf(address.path))) continue
    const distance = apart + (isBegun ? begun : editDistance(asked, address.path, least - apart))
    if (distance >= least) continue
    nearest = address
    least = distance
  }
  return nearest
}
