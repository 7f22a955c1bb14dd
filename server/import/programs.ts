import { newApi } from './new-api/program.ts'
import { oneApi } from './one-api/program.ts'
import { oneHub } from './one-hub/program.ts'
import type { Program, ProgramName } from './program.ts'
import { ImportRefused, type Schema, type Source } from './source/source.ts'

/** Every program whose database can be taken over. Those with marks of their own come before the one the others grew from. */
const programs: readonly Program[] = [oneHub, newApi, oneApi]

export const programNames: readonly ProgramName[] = programs.map(({ name }) => name)

type Needs = Program['needs']

/** `table` or `table.column`, for everything that is needed and not there. */
function missingIn(schema: Schema, needs: Needs): string[] {
  return Object.entries(needs).flatMap(([table, columns]) => {
    const present = schema.get(table)
    if (!present) return [table]
    const isThere = (column: string) => column.split('|').some((spelling) => present.has(spelling))
    return columns.filter((column) => !isThere(column)).map((column) => `${table}.${column}`)
  })
}

const marksOf = (schema: Schema, { marks }: Program): string[] =>
  marks.filter((mark) => {
    const [table = '', column] = mark.split('.')
    const present = schema.get(table)
    return present !== undefined && (column === undefined || present.has(column))
  })

/** Log rows may lie in a database of their own; tables that are not there are not needed where they came later. */
function split({ needs, optional = {} }: Program, schema: Schema): { readonly logs: Needs; readonly others: Needs } {
  const { logs = [], ...always } = needs
  const added = Object.entries(optional).filter(([table]) => schema.has(table))
  return { logs: logs.length === 0 ? {} : { logs }, others: { ...always, ...Object.fromEntries(added) } }
}

/** Which program made the database, by its tables and columns. Nothing is guessed. */
export function recognise(source: Source, logs: Source, named: ProgramName | null): Program {
  if (source.schema.size === 0) throw new ImportRefused('The source is empty: it has no tables.')
  const program = named === null ? markedProgram(source.schema) : programs.find(({ name }) => name === named)
  if (!program) throw new ImportRefused(`There is no program ${named}: ${programNames.join(', ')}.`)
  const needs = split(program, source.schema)
  const missing = [...missingIn(source.schema, needs.others), ...missingIn(logs.schema, needs.logs)]
  const unmarked = program.marks.length > 0 && marksOf(source.schema, program).length === 0 ? program.marks : []
  const other = named === null ? undefined : foreignMark(source.schema, program)
  if (other) throw new ImportRefused(`This is no ${program.title} database: ${other}.`)
  if (missing.length > 0 || unmarked.length > 0)
    throw new ImportRefused(schemaMismatch(source.schema, program, [...missing, ...unmarked]))
  return program
}

function schemaMismatch(schema: Schema, { title, needs }: Program, missing: readonly string[]): string {
  const tables = Object.keys(needs)
  const names = programs.map((program) => program.title)
  if (!tables.some((table) => schema.has(table)))
    return `This is a database of another program: it has none of the tables of ${names.join(', ')} (${tables.join(', ')}).`
  const lacks = [...new Set(missing)]
  return (
    `This is no ${title} database as Switchyard reads it: ${lacks.join(', ')} ${lacks.length === 1 ? 'is' : 'are'} missing. ` +
    'If its program was stopped in the middle of an upgrade, start it once more, let it finish, and try again.'
  )
}

/** What only another program has. */
function foreignMark(schema: Schema, named: Program): string | undefined {
  const other = programs.find((program) => program !== named && marksOf(schema, program).length > 0)
  return other && `it has ${marksOf(schema, other).join(', ')}, as only ${other.title} makes them`
}

function markedProgram(schema: Schema): Program {
  const marked = programs.filter((program) => marksOf(schema, program).length > 0)
  const [first, second] = marked
  if (first && second) {
    const seen = [first, second].map((program) => `${marksOf(schema, program).join(', ')} of ${program.title}`)
    throw new ImportRefused(
      `The source has marks of two programs: ${seen.join('; ')}. Say which one made it with --from; a mixture is not read.`,
    )
  }
  return first ?? oneApi
}
