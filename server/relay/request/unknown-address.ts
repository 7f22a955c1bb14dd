import { type RelayFault, refuse } from '#server/relay/refusals.ts'

export interface KnownAddress {
  readonly method: string
  readonly path: string
}

/** Any client may send any address, so the comparison is bounded: long segments count as ids, distant matches are not suggested. */
const longestCompared = 64
const longId = /[^/]{33,}/g
/** A method of a model follows its name, which may be long and hold slashes and colons. */
const modelName = /(\/models\/).{1,400}(?=:[^/:]+$)/
const farOff = 24

let before = new Uint16Array(longestCompared + 2)
let now = new Uint16Array(longestCompared + 2)

/** The edit distance of two texts; `most` when it is not smaller. */
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

/** An address with a vendor's version means that vendor. */
const otherVersion = 4
/** A prefix of an address means that address, however long the rest is. */
const begun = 1
const versionOf = (path: string): string => path.split('/')[1] ?? ''

const version = /^v\d/i
/** A prefix before the version is ignored. */
const inFront = /^\/.*?(?=\/v\d+(?:alpha|beta)?\/)/

const wordsOf = (path: string): string[] =>
  path.split('/').filter((word) => word !== '' && !word.startsWith('{') && !version.test(word))

/** Whether some word of one address nearly equals a word of the other: similar lengths alone suggest nothing. */
function isAkin(asked: readonly string[], known: readonly string[]): boolean {
  return asked.some((one) => {
    const most = Math.floor(one.length / 3) + 1
    return known.some((other) => editDistance(one, other, most) < most)
  })
}

/** Suggests what to change: the method where the path is right, else the nearest known address. */
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
    .replace(modelName, '$1{model}')
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
