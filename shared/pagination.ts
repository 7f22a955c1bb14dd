import { z } from 'zod'

export const pageSizeDefault = 10
export const pageSizeMax = 100

/** The specification's formula: one page more when the total is an exact multiple of the page size. */
export const pageCount = (total: number, pageSize: number): number =>
  Math.ceil(total / pageSize) + (total % pageSize === 0 ? 1 : 0)

export const PageInput = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
  pagesize: z.coerce.number().int().min(1).max(pageSizeMax).default(pageSizeDefault),
})
export type PageInput = z.output<typeof PageInput>

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ list: z.array(row), total: z.number(), currentPage: z.number(), pageSize: z.number() })

export interface Page<Row> {
  list: Row[]
  total: number
  currentPage: number
  pageSize: number
}
