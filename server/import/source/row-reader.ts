import type { CellReader } from './cells.ts'

/** Reads the columns it knows from a row, whatever else the row has. Tables have millions of rows: it does no more than that. */
export interface RowReader<Row> {
  parse(row: Readonly<Record<string, unknown>>): Row
}

export type RowOf<Reader> = Reader extends RowReader<infer Row> ? Row : never

type Columns = Readonly<Record<string, CellReader>>
export type Values<Of extends Columns> = { readonly [Name in keyof Of]: ReturnType<Of[Name]> }

export function rowReader<Of extends Columns>(columns: Of): RowReader<Values<Of>> {
  const cells = Object.entries(columns)
  return {
    parse(row) {
      const values: Record<string, unknown> = {}
      for (const [name, read] of cells) values[name] = read(row[name])
      return values as Values<Of>
    },
  }
}
