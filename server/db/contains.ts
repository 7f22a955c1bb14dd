import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** Letters outside of English; not all engines and locales know both cases of them. */
const others = /[^\p{ASCII}]/gu

/** Each is a call around the text; nobody searches for more different letters. */
const lettersMax = 50

/** The lower case of a letter, where that is a single letter whose upper case is this one again. */
function lowered(letter: string): string {
  const lower = letter.toLowerCase()
  return lower.toUpperCase() === letter ? lower : letter
}

/** The text in lower case, as far as the letters of the keyword go. */
const folded = (text: Expression<string>, keyword: string): RawBuilder<string> =>
  [...new Set(keyword.match(others)?.map(lowered))]
    .filter((letter) => lowered(letter.toUpperCase()) === letter && letter.toUpperCase() !== letter)
    .slice(0, lettersMax)
    .reduce(
      (rest, letter) => sql<string>`replace(${rest}, ${letter.toUpperCase()}, ${letter})`,
      sql<string>`lower(${text})`,
    )

const foldedKeyword = (keyword: string): string => keyword.replace(others, lowered)

/** True where the text contains the keyword, whatever the case; `%` and `_` mean themselves. */
export const contains = (text: Expression<string>, keyword: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${folded(text, keyword)} like lower(${`%${foldedKeyword(keyword).replace(/[\\%_]/g, '\\$&')}%`}) escape '\\'`

/** True where the text is the keyword, whatever the case. */
export const equalsFolded = (text: Expression<string>, keyword: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${folded(text, keyword)} = lower(${foldedKeyword(keyword)})`

/** The id a keyword may mean, or 0: no row has that id. */
export const idIn = (keyword: string): number => (/^\d{1,15}$/.test(keyword) ? Number(keyword) : 0)
