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
export const textSize = memoize(50_000, readSize, (text) => Bun.hash.wyhash(text, seed))
