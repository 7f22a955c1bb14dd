import type { ForeignReader } from './form.ts'
import type { Report } from './report.ts'
import type { Source } from './source/source.ts'

export type ProgramName = 'one-api' | 'new-api' | 'one-hub'

/** What a reader reads from. */
export interface Opened {
  readonly source: Source
  /** Where the log rows are: the same database, or one of their own. */
  readonly logs: Source
  readonly report: Report
  /** Epoch seconds. */
  readonly at: number
}

/** Names of columns, written in one text. */
export const columnsIn = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** A program whose database can be taken over. */
export interface Program {
  readonly name: ProgramName
  readonly title: string
  /** Columns, as `table.column`, or tables that only this program makes. */
  readonly marks: readonly string[]
  /** Every column that is read and was there in the oldest release that is read; `a|b` for one of several spellings. */
  readonly needs: Readonly<Record<string, readonly string[]>>
  /** The same for tables that later releases added. */
  readonly optional?: Readonly<Record<string, readonly string[]>>
  read(opened: Opened): ForeignReader
}
