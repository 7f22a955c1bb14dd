type Cell = string | number | boolean | null

/** A spreadsheet takes text that begins with one of these for something to compute, also behind white space. */
export const runningSigns: readonly string[] = ['=', '+', '-', '@', '|', '%', '＝', '＋', '－', '＠']
/** White space that is no harmless beginning either. */
export const controlSpaces: readonly string[] = ['\t', '\r', '\n']
export const spaces = `${controlSpaces.join('')}\v\f \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`

const runs = (text: string): boolean =>
  controlSpaces.includes(text.charAt(0)) || runningSigns.includes(text.trimStart().charAt(0))

function textCell(text: string): string {
  const harmless = runs(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

const cell = (value: Cell): string => {
  if (value === null) return ''
  return typeof value === 'string' ? textCell(value) : String(value)
}

/** A line of comma-separated values that no spreadsheet runs anything of. */
export const csvLine = (values: readonly Cell[]): string => `${values.map(cell).join(',')}\r\n`
