/** What a test looks at, each with the name a failure shows. */
export type Cells<Cell> = readonly (readonly [name: string, cell: Cell])[]

/** What is found in each cell, in turn. Without cells, or with two of one name, something would go unseen: that fails. */
export async function readTable<Cell, Found>(
  cells: Cells<Cell>,
  read: (cell: Cell) => Promise<Found>,
): Promise<Record<string, Found>> {
  if (cells.length === 0) throw new Error('the table has no cells')
  const table = new Map<string, Found>()
  for (const [name, cell] of cells) {
    if (table.has(name)) throw new Error(`two cells are called "${name}"`)
    table.set(name, await withinTime(name, read(cell)))
  }
  return Object.fromEntries(table)
}

/** Checks every cell, also behind one that fails, and fails with the name and the words of each that did. */
export async function checkTable<Cell>(cells: Cells<Cell>, check: (cell: Cell) => Promise<void>): Promise<void> {
  const results = await readTable(cells, (cell) => check(cell).then(() => null, textOf))
  const failures = Object.entries(results).flatMap(([name, text]) => (text === null ? [] : [`✗ ${name}\n${text}`]))
  if (failures.length === 0) return
  throw new Error(`${failures.length} of ${cells.length} cells failed\n\n${failures.join('\n\n')}`)
}

/** The words of a failure and the line of the test it comes from. */
function textOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  const line = failure.stack?.split('\n').find((each) => each.includes('.test.ts'))
  return `${failure.message.trim()}\n${line ?? ''}`
}

const cellTimeoutMs = 20_000

/** A cell that never ends is named before the test around it runs out of time. */
async function withinTime<Found>(name: string, work: Promise<Found>): Promise<Found> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error(`"${name}" did not end in time`)), cellTimeoutMs)
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
