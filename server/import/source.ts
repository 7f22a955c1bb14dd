import type { z } from 'zod'

export type SourceRow = Readonly<Record<string, unknown>>

/** A one-api database, read as of one moment. Nothing is ever written to it. */
export interface Source {
  query(text: string): Promise<SourceRow[]>
  quote(name: string): string
  close(): Promise<void>
}

const rowsPerPage = 1000

/** The rows of a table by id, a page at a time. */
export async function* pages<Schema extends z.ZodType<{ id: number }>>(
  source: Source,
  table: string,
  schema: Schema,
  { after = 0, until = Number.MAX_SAFE_INTEGER } = {},
): AsyncGenerator<z.output<Schema>[]> {
  const id = source.quote('id')
  let last = after
  for (;;) {
    const found = await source.query(
      `select * from ${source.quote(table)} where ${id} > ${last} and ${id} <= ${until} order by ${id} limit ${rowsPerPage}`,
    )
    const rows = found.map((row) => schema.parse(row))
    const end = rows.at(-1)
    if (!end) return
    yield rows
    last = end.id
  }
}
