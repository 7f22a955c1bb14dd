/** A text without the signs it ends with. A pattern that says so starts anew at each of them: minutes, where another sign follows many. */
export function withoutTrailing(text: string, sign: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === sign) end -= 1
  return text.slice(0, end)
}
