/**
 * Copies text. `false` means the browser refused: the caller warns, and puts the text where it can be copied by hand
 * (the search box on lists).
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
