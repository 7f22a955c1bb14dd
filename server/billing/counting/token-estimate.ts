/** Guesses tokens of a text that arrives bit by bit, without keeping any of it. */
export interface TokenTally {
  add(text: string): void
  tokens(): number
}

const lastAscii = 0x7f
const firstOfEastAsia = 0x2e80
const firstSurrogate = 0xd800
const lastSurrogate = 0xdfff

/** Quarters of a token that one UTF-16 unit is worth: four letters, two accented ones or a single character of Chinese. */
function quarters(unit: number): number {
  if (unit <= lastAscii) return 1
  if (unit < firstOfEastAsia) return 2
  return unit >= firstSurrogate && unit <= lastSurrogate ? 3 : 4
}

export function createTokenTally(): TokenTally {
  let sum = 0
  return {
    add(text) {
      // Plain ASCII is the usual case, and told by the runtime far faster than letter by letter.
      if (Buffer.byteLength(text) === text.length) sum += text.length
      else for (let index = 0; index < text.length; index++) sum += quarters(text.charCodeAt(index))
    },
    tokens: () => Math.ceil(sum / 4),
  }
}

export function estimateTokens(text: string): number {
  const tally = createTokenTally()
  tally.add(text)
  return tally.tokens()
}

const isLetter = (unit: number): boolean => (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39
const isSpace = (unit: number): boolean => unit <= 0x20

/** No word of a language is longer; what is, is cut into pieces of about two letters. */
const longestWord = 16

/**
 * Tokens of a text that is no prose: symbols in a row, numbers, letters without sense. Never less than a tokenizer would make
 * of such, so that a prompt of brackets is not held for a quarter of its price.
 */
export function denseTokens(text: string): number {
  let tokens = 0
  let run = 0
  const endWord = () => {
    if (run > 0) tokens += run > longestWord ? run / 2 : 1
    run = 0
  }
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (isLetter(unit)) run += 1
    else {
      endWord()
      if (isDigit(unit)) tokens += 0.5
      else if (unit > lastAscii) tokens += quarters(unit) / 4
      else if (!isSpace(unit)) tokens += 0.75
    }
  }
  endWord()
  return Math.ceil(tokens)
}
