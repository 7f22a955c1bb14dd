import type { z } from 'zod'
import type { LeftOut } from '#server/import/form.ts'

export type SourceRow = Readonly<Record<string, unknown>>

/** Table name → its columns. */
export type Schema = ReadonlyMap<string, ReadonlySet<string>>

/** A database of another program, read as of one moment. Nothing is ever written to it. */
export interface Source {
  readonly schema: Schema
  query(text: string): Promise<SourceRow[]>
  quote(name: string): string
  /** Ends the moment as of which it was read. */
  release(): Promise<void>
  close(): Promise<void>
}

/** Thrown when the source or the target is not what an import needs. Nothing has been written then. */
export class ImportRefused extends Error {}

/** Thrown when the old database cannot be read, or not any more. */
export class SourceLost extends Error {}

/** Says what it means for the target. */
export const sourceLost = ({ message }: SourceLost, consequence: string): string =>
  `The old database cannot be read: ${message}. ${consequence}`

const rowsPerPage = 1000
/** What a page leaves behind lies mostly outside the heap, where the collector does not see how much it is: it is asked to come. */
const pagesPerCollection = 20

/** The rows of a table by id, a page at a time: memory stays the same however many there are. */
export async function* pages<Row extends z.ZodType<{ id: number }>>(
  source: Source,
  table: string,
  row: Row,
  { after = 0, until = Number.MAX_SAFE_INTEGER } = {},
): AsyncGenerator<z.output<Row>[]> {
  const id = source.quote('id')
  let last = after
  for (let page = 1; ; page += 1) {
    if (page % pagesPerCollection === 0) Bun.gc(true)
    const found = await source.query(
      `select * from ${source.quote(table)} where ${id} > ${last} and ${id} <= ${until} order by ${id} limit ${rowsPerPage}`,
    )
    const rows = found.map((each) => row.parse(each))
    const end = rows.at(-1)
    if (!end) return
    yield rows
    last = end.id
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

export async function releaseAll(source: Source, logs: Source): Promise<void> {
  await source.release()
  if (logs !== source) await logs.release()
}

/** All rows of a small table. */
export const rowsOf = async <Row extends z.ZodType>(
  source: Source,
  table: string,
  row: Row,
): Promise<z.output<Row>[]> =>
  (await source.query(`select * from ${source.quote(table)}`)).map((each) => row.parse(each))
