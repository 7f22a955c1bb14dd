import type { Opened } from '#server/import/program.ts'
import { SourceOption } from './rows.ts'

export async function readOptions({ source }: Pick<Opened, 'source'>): Promise<Map<string, string>> {
  const rows = await source.query(`select * from ${source.quote('options')}`)
  return new Map(rows.map((row) => SourceOption.parse(row)).map(({ key, value }) => [key, value]))
}
