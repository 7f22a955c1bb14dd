import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** True where the text contains the keyword, whatever the case; `%` and `_` mean themselves. */
export const contains = (text: Expression<string>, keyword: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(${text}) like lower(${`%${keyword.replace(/[\\%_]/g, '\\$&')}%`}) escape '\\'`

/** The id a keyword may mean, or 0: no row has that id. */
export const idIn = (keyword: string): number => (/^\d{1,15}$/.test(keyword) ? Number(keyword) : 0)
