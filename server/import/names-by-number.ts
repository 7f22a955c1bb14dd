/** Reads `number: name name …` paragraphs, a form in which long lists of prices stay short. */
export function namesByNumber(text: string): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  let current = Number.NaN
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (/^-?[\d.e-]+:$/.test(word)) current = Number(word.slice(0, -1))
    else numbers.set(word, current)
  }
  return numbers
}
