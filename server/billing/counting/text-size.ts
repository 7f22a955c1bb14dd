import { randomBytes } from 'node:crypto'
import { memoize } from '#server/lib/memoize.ts'
import { denseTokens } from './dense-tokens.ts'
import { quartersOf } from './token-estimate.ts'

/** Tokens of a text: as prose, and as much as it may be. */
export interface TextSize {
  readonly plain: number
  readonly dense: number
}

function readSize(text: string): TextSize {
  const plain = Math.ceil(quartersOf(text) / 4)
  return { plain, dense: Math.max(plain, denseTokens(text)) }
}

/** Drawn at each start, so that nobody prepares two texts of one mark. */
const seed = randomBytes(8).readBigUInt64LE()

/** Conversations come again with every turn, and so do tools and instructions: each text is read letter by letter once. */
const pieceSize = memoize(50_000, readSize, (text) => Bun.hash.wyhash(text, seed))

/** Longer texts are read in pieces of so many letters. */
export const pieceLength = 256 * 1024

/** The pieces of a text, each of which is read at once. */
export function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength)
}

export function textSize(text: string): TextSize {
  if (text.length <= pieceLength) return pieceSize(text)
  const sizes = [...piecesOf(text)].map(pieceSize)
  return {
    plain: sizes.reduce((sum, { plain }) => sum + plain, 0),
    dense: sizes.reduce((sum, { dense }) => sum + dense, 0),
  }
}
