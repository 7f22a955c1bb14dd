type Cell = string | number | boolean | null

/** A spreadsheet takes text that begins like this for something to compute. */
const runs = /^\s*[=+\-@|%＝＋－＠]|^[\t\r\n]/

function textCell(text: string): string {
  const harmless = runs.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

const cell = (value: Cell): string => {
  if (value === null) return ''
  return typeof value === 'string' ? textCell(value) : String(value)
}

/** A line of comma-separated values that no spreadsheet runs anything of. */
export const csvLine = (values: readonly Cell[]): string => `${values.map(cell).join(',')}\r\n`
