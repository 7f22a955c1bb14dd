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

const kind = { other: 0, small: 1, large: 2, digit: 3, space: 4, line: 5, control: 6 }
const vowel = 8

/** The kind of each ASCII character; vowels have a kind of their own. */
const kinds = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const sign = String.fromCharCode(unit)
  const mark = /[aeiouy]/i.test(sign) ? vowel : 0
  if (/[a-z]/.test(sign)) return kind.small | mark
  if (/[A-Z]/.test(sign)) return kind.large | mark
  if (/\d/.test(sign)) return kind.digit
  if (sign === ' ') return kind.space
  return /\s/.test(sign) ? kind.line : unit < 0x20 ? kind.control : kind.other
})

/** Tokens of punctuation and symbols. */
const alone = [0.75, 0, 0, 0, 0, 1, 1]

/** Longer runs of letters are no words. */
const longestWord = 12
/** Shorter runs are taken for words. */
const shortWord = 3

/** Letters in a row: a word is a token or so, letters without sense are cut into pieces of less than two. */
function wordTokens(letters: number, sounding: number): number {
  if (letters <= shortWord) return 1
  if (sounding * 6 < letters) return letters * 0.7
  return letters <= longestWord ? 1 : letters * 0.5
}

/**
 * Tokens of a text that is no prose: symbols in a row, numbers, letters without sense, scripts that tokenizers hardly know. About as
 * many as a tokenizer makes of such, so that a prompt of brackets or of Cherokee is not held for a part of its price.
 */
export function denseTokens(text: string): number {
  let tokens = 0
  let quarters = 0
  let letters = 0
  let sounding = 0
  let digits = 0
  let before = 0
  let unitBefore = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const marked = unit > 0x7f ? kind.other : (kinds[unit] ?? 0)
    const now = marked & 7
    const isLetter = now === kind.small || now === kind.large
    // A capital letter begins a new word, as in camelCase.
    if (letters > 0 && (!isLetter || (now === kind.large && before === kind.small))) {
      tokens += wordTokens(letters, sounding)
      letters = sounding = 0
    }
    if (digits > 0 && now !== kind.digit) {
      tokens += 1 + (digits - 1) * 0.34
      digits = 0
    }
    if (isLetter) {
      letters += 1
      if (marked > 7) sounding += 1
    } else if (now === kind.digit) digits += 1
    else if (unit > 0x7f) quarters += units[unit] ?? 0
    // A run of line breaks or spaces costs one token, however long it is.
    else if (now !== kind.line || unit !== unitBefore) tokens += alone[now] ?? 0
    before = now
    unitBefore = unit
  }
  if (letters > 0) tokens += wordTokens(letters, sounding)
  if (digits > 0) tokens += 1 + (digits - 1) * 0.34
  return Math.ceil(tokens + quarters / 4)
}
