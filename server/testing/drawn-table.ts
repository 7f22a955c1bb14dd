import type { Row, Value } from './old-database.ts'

function readCell(cell: string): Value {
  if (cell === 'null') return null
  if (cell === 'true' || cell === 'false') return cell === 'true'
  if (/^-?\d+(\.\d+)?$/.test(cell)) return Number(cell)
  return cell.replace(/^"(.*)"$/, '$1')
}

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim())

/** Reads rows from a table drawn as text: a line of names, then a line a row. `$name` stands for a value. */
export function readTable(drawing: string, values: Readonly<Record<string, string>> = {}): Row[] {
  const filled = drawing.replace(/\$(\w+)/g, (whole, name: string) => values[name] ?? whole)
  const [head = '', ...lines] = filled.trim().split('\n')
  const names = cellsOf(head)
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, at) => [names[at] ?? '', readCell(cell)])))
}
