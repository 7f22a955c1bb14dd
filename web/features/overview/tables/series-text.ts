/** A text a spreadsheet would run as a formula is made harmless. */
const harmless = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

const quoted = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Rows for a spreadsheet: as a CSV file, or as what is pasted into one. */
export function asText(rows: readonly (readonly (string | number)[])[], separator: ',' | '\t'): string {
  const cellOf = (cell: string | number): string => {
    if (typeof cell === 'number') return Number.isNaN(cell) ? '' : String(cell)
    const safe = harmless(cell)
    return separator === ',' ? quoted(safe) : safe.replaceAll(/[\t\n\r]/g, ' ')
  }
  return rows.map((row) => `${row.map(cellOf).join(separator)}\n`).join('')
}
