import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Page, pageSizeDefault } from '#shared/pagination.ts'
import type { TableState } from './use-table-state.ts'

export interface ListArgs {
  page: number
  pagesize: number
  keyword: string
  order: string
}

export interface List<Row, Answer extends Page<Row>> {
  rows: Row[]
  total: number
  /** The whole answer, for lists that carry more than rows. */
  answer: Answer | undefined
  /** True until the first answer; later loads keep the old rows. */
  loading: boolean
  /** There is no answer to show, and none is to be expected. */
  failed: boolean
  refreshing: boolean
  refresh: () => Promise<unknown>
  /** Looks for a keyword; looks again when it is the one looked for already. */
  search: (keyword: string) => void
  /** Changes the row in place, without a reload. */
  patch: (id: number, change: Partial<Row>) => void
  /** Takes the row out, without a reload. */
  remove: (id: number) => void
  /** Changes the answer in place: counts beside the rows. */
  update: (change: (answer: Answer) => Answer) => void
}

/** A page of rows as the table state asks for it. `load` calls the list, or the search when there is a keyword. */
export function useList<Row extends { id: number }, Answer extends Page<Row> = Page<Row>>(
  name: string,
  state: Pick<TableState, 'page' | 'keyword' | 'order' | 'search'>,
  load: (args: ListArgs) => Promise<Answer>,
): List<Row, Answer> {
  const queries = useQueryClient()
  const args: ListArgs = { page: state.page, pagesize: pageSizeDefault, keyword: state.keyword, order: state.order }
  const key = [name, 'list', args]
  const query = useQuery({ queryKey: key, queryFn: () => load(args), placeholderData: keepPreviousData })
  const update = (change: (answer: Answer) => Answer) =>
    queries.setQueryData<Answer>(key, (answer) => answer && change(answer))
  return {
    rows: query.data?.list ?? [],
    total: query.data?.total ?? 0,
    answer: query.data,
    loading: query.isPending,
    failed: query.isLoadingError,
    refreshing: query.isFetching,
    refresh: query.refetch,
    search: (keyword) => {
      if (keyword === state.keyword) void query.refetch()
      state.search(keyword)
    },
    update,
    patch: (id, change) =>
      update((answer) => ({
        ...answer,
        list: answer.list.map((row) => (row.id === id ? { ...row, ...change } : row)),
      })),
    remove: (id) =>
      update((answer) => ({
        ...answer,
        list: answer.list.filter((row) => row.id !== id),
        total: answer.total - 1,
      })),
  }
}
