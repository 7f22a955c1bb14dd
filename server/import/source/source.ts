import type { LeftOut } from '#server/import/form.ts'
import type { RowReader } from './row-reader.ts'

export type SourceRow = Readonly<Record<string, unknown>>

/** Table name → its columns. */
export type Schema = ReadonlyMap<string, ReadonlySet<string>>

/** A database of another program, read as of one moment. Nothing is ever written to it. */
export interface Source {
  readonly schema: Schema
  query(text: string): Promise<SourceRow[]>
  quote(name: string): string
  /** A column as it is to the letter: some engines hold texts for one and the same that differ in case or in blanks behind them. */
  exact(name: string): string
  /** Ends the moment as of which it was read. */
  release(): Promise<void>
  close(): Promise<void>
}

/** Thrown when the source or the target is not what an import needs. Nothing has been written then. */
export class ImportRefused extends Error {}

/** Thrown when the old database cannot be read, or not any more. */
export class SourceLost extends Error {}

/** Describes the consequence for the target, for error messages. */
export const sourceLost = ({ message }: SourceLost, consequence: string): string =>
  `The old database cannot be read: ${message}. ${consequence}`

const rowsPerPage = 1000
/** Log rows are small and many: each page of them is a transaction of its own. */
export const logsPerPage = 5000
/** What pages leave behind lies mostly outside the heap, where the collector does not see how much it is: it is called. */
const rowsPerCollection = 50_000

interface Walk {
  /** Rows up to this one are left out. */
  readonly after?: number
  readonly until?: number
  /** Rows at once. */
  readonly size?: number
}

/** The rows of a table by id, a page at a time: memory stays the same however many there are. */
export async function* pages<Row extends { readonly id: number }>(
  source: Source,
  table: string,
  row: RowReader<Row>,
  { after = 0, until = Number.MAX_SAFE_INTEGER, size = rowsPerPage }: Walk = {},
): AsyncGenerator<Row[]> {
  const id = source.quote('id')
  const most = Math.min(until, Number.MAX_SAFE_INTEGER)
  let last = after
  let uncollected = 0
  for (;;) {
    const found = await source.query(
      `select * from ${source.quote(table)} where ${id} > ${last} and ${id} <= ${most} order by ${id} limit ${size}`,
    )
    const rows = found.map((each) => row.parse(each))
    const end = rows.at(-1)
    if (!end) return
    yield rows
    last = end.id
    uncollected += rows.length
    if (uncollected < rowsPerCollection) continue
    uncollected = 0
    Bun.gc(true)
  }
}

/** Pages of another shape. */
export async function* mapPages<From, To>(
  from: AsyncIterable<readonly From[]>,
  to: (row: From) => To,
): AsyncGenerator<To[]> {
  for await (const page of from) yield page.map(to)
}

export async function* noPages(): AsyncGenerator<never[]> {}

export const numberIn = async (source: Source, text: string): Promise<number> =>
  Number(Object.values((await source.query(text))[0] ?? {})[0] ?? 0)

/** How many rows a table has; 0 where there is no such table. */
export const countRows = async (source: Source, table: string): Promise<number> =>
  source.schema.has(table) ? numberIn(source, `select count(*) from ${source.quote(table)}`) : 0

/** Rows of each of these tables, with what is said of them. One question at a time: a connection answers no two at once. */
export async function countTables(
  source: Source,
  tables: readonly (readonly [table: string, what: string, advice: string])[],
): Promise<LeftOut[]> {
  const counted: LeftOut[] = []
  for (const [table, what, advice] of tables) counted.push({ what, count: await countRows(source, table), advice })
  return counted
}

const numbered = ['users', 'tokens', 'channels', 'redemptions', 'logs']

/** Rows are read in order of their ids, which begin with 1 in every program; rows with other ids are not the program's. */
export async function countUnnumbered(source: Source): Promise<LeftOut> {
  let count = 0
  for (const table of numbered.filter((name) => source.schema.get(name)?.has('id')))
    count += await numberIn(source, `select count(*) from ${source.quote(table)} where ${source.quote('id')} < 1`)
  const advice = 'Their id is 0 or less: give them another one in the old database, and import into a fresh one.'
  return { what: 'rows without a number', count, advice }
}

export async function releaseAll(source: Source, logs: Source): Promise<void> {
  await source.release()
  if (logs !== source) await logs.release()
}

/** All rows of a small table. */
export const rowsOf = async <Row>(source: Source, table: string, row: RowReader<Row>): Promise<Row[]> =>
  (await source.query(`select * from ${source.quote(table)}`)).map((each) => row.parse(each))
