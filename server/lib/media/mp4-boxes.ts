import { view } from './view.ts'

/** A file made of nothing but empty boxes must not keep the process busy. */
const looksMax = 500_000

/** How many boxes of a file were looked at. */
export interface Looks {
  count: number
}

const numberOf = (name: string): number =>
  ((name.charCodeAt(0) << 24) | (name.charCodeAt(1) << 16) | (name.charCodeAt(2) << 8) | name.charCodeAt(3)) >>> 0

/** The bodies of all boxes at the end of a path of names. */
export function* fieldsOf(looks: Looks, bytes: Uint8Array, ...path: string[]): Generator<Uint8Array> {
  const [name = '', ...rest] = path
  const wanted = numberOf(name)
  const data = view(bytes)
  for (let at = 0; at + 8 <= bytes.length; ) {
    looks.count += 1
    if (looks.count > looksMax) throw new RangeError('more boxes than a recording has')
    const short = data.getUint32(at)
    const head = short === 1 ? 16 : 8
    const size = short === 1 ? Number(data.getBigUint64(at + 8)) : short === 0 ? bytes.length - at : short
    if (size < head) return
    if (data.getUint32(at + 4) === wanted) {
      const body = bytes.subarray(at + head, at + size)
      if (rest.length === 0) yield body
      else yield* fieldsOf(looks, body, ...rest)
    }
    at += size
  }
}

export const first = (found: Generator<Uint8Array>): Uint8Array | undefined => found.next().value ?? undefined
