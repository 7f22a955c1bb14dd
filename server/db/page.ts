import type { Page, PageInput } from '#shared/pagination.ts'

export const offsetOf = ({ page, pagesize }: PageInput): number => (page - 1) * pagesize

export const pageFrom = <Row>({ page, pagesize }: PageInput, list: Row[], total: number): Page<Row> => ({
  list,
  total,
  currentPage: page,
  pageSize: pagesize,
})
