/** Guesses tokens of a text that arrives bit by bit, without keeping any of it. */
export interface TokenTally {
  add(text: string): void
  tokens(): number
}

const lastAscii = 0x7f
const firstOfEastAsia = 0x2e80
const firstSurrogate = 0xd800
const lastSurrogate = 0xdfff

/** Quarters of a token for one UTF-16 unit: a token is four letters, two accented ones or one Chinese character. */
function quarters(unit: number): number {
  if (unit <= lastAscii) return 1
  if (unit < firstOfEastAsia) return 2
  return unit >= firstSurrogate && unit <= lastSurrogate ? 3 : 4
}

/** The same of a whole text. */
export function quartersOf(text: string): number {
  // Plain ASCII is the usual case, and recognised by the runtime far faster than letter by letter.
  if (Buffer.byteLength(text) === text.length) return text.length
  let sum = 0
  for (let index = 0; index < text.length; index++) sum += quarters(text.charCodeAt(index))
  return sum
}

export function createTokenTally(): TokenTally {
  let sum = 0
  return {
    add(text) {
      sum += quartersOf(text)
    },
    tokens: () => Math.ceil(sum / 4),
  }
}

export const estimateTokens = (text: string): number => Math.ceil(quartersOf(text) / 4)
