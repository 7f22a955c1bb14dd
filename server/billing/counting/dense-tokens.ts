/** How much one UTF-16 unit of a script counts in a hold, in quarters of a token: as many as the least efficient tokenizer makes of it. */
const scripts: readonly (readonly [from: number, quarters: number])[] = [
  [0x80, 4],
  // Combining marks.
  [0x300, 7],
  [0x370, 3],
  // Indic scripts and Thai, then rare scripts, of which every byte is a token.
  [0x700, 4],
  [0xf00, 12],
  [0x10a0, 5],
  [0x1100, 6],
  [0x1200, 12],
  // Common punctuation within the block of symbols.
  [0x2010, 4],
  [0x203b, 10],
  [0x20a0, 6],
  [0x2150, 10],
  [0x2e80, 5],
  [0xa000, 10],
  [0xac00, 5],
  // Surrogates: half of an emoji or of a rare character.
  [0xd7b0, 10],
  [0xd83c, 5],
  [0xd83f, 10],
  [0xdc00, 6],
  [0xe000, 12],
  [0xf900, 10],
  [0xff00, 4],
  [0xfff0, 10],
]

const units = new Uint8Array(0x10000)
for (const [at, [from, quarters]] of scripts.entries()) units.fill(quarters, from, scripts[at + 1]?.[0] ?? units.length)

const letter = 16
/** Beside the kind of a letter. */
const vowel = 8
const large = 1
const digit = 32
/** What is neither has one of these kinds, by which its tokens are found. */
const kind = { other: 0, space: 2, line: 4, control: 6 }

/** The kind of each ASCII character. */
const kinds = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const sign = String.fromCharCode(unit)
  if (/[a-z]/i.test(sign)) return letter | (/[aeiouy]/i.test(sign) ? vowel : 0) | (/[A-Z]/.test(sign) ? large : 0)
  if (/\d/.test(sign)) return digit
  if (sign === ' ') return kind.space
  return /\s/.test(sign) ? kind.line : unit < 0x20 ? kind.control : kind.other
})

/** Tokens of punctuation and symbols, of spaces, of line breaks and of characters that control. */
const alone = Float64Array.of(0.75, 0, 0, 0, 1, 0, 1)

/** Longer runs of letters are no words. */
const longestWord = 12
/** Shorter runs are taken for words. */
const shortWord = 3

/** Letters in a row: a word is a token or so, letters without sense are cut into pieces of less than two. */
function wordTokens(letters: number, vowels: number): number {
  if (letters <= shortWord) return 1
  if (vowels * 6 < letters) return letters * 0.7
  return letters <= longestWord ? 1 : letters * 0.5
}

/**
 * Tokens of a text that is no prose: symbols in a row, numbers, letters without sense, scripts that tokenizers hardly know. About as
 * many as a tokenizer makes of such, so that a prompt of brackets or of Cherokee is not held for a part of its price. Every prompt
 * is read by it, letter by letter, so runs have loops of their own.
 */
export function denseTokens(text: string): number {
  const { length } = text
  let tokens = 0
  let quarters = 0
  let index = 0
  while (index < length) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) {
      quarters += units[unit] as number
      index += 1
      continue
    }
    const mark = kinds[unit] as number
    const begin = index
    index += 1
    if (mark >= digit) {
      while (index < length && isDigit(text.charCodeAt(index))) index += 1
      tokens += 1 + (index - begin - 1) * 0.34
    } else if (mark >= letter) {
      let vowels = mark & vowel
      let before = mark & large
      for (; index < length; index++) {
        const next = text.charCodeAt(index)
        const now = next > 0x7f ? 0 : (kinds[next] as number)
        // A capital letter after a small one begins a new word, as in camelCase.
        if ((now & letter) === 0 || (now & large) > before) break
        vowels += now & vowel
        before = now & large
      }
      tokens += wordTokens(index - begin, vowels / vowel)
    } else {
      tokens += alone[mark] as number
      // A run of line breaks or tabs costs one token, however long it is.
      if (mark === kind.line) while (index < length && text.charCodeAt(index) === unit) index += 1
    }
  }
  return Math.ceil(tokens + quarters / 4)
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39
