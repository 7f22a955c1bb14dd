import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Page, pageSizeDefault } from '#shared/pagination.ts'
import type { ListArgs } from '#web/state/queries/list-query.ts'
import type { TableState } from './use-table-state.ts'

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
  /** The ids of all rows that are looked for, over all pages. */
  everyId: () => Promise<number[]>
  /** Changes the answer in place: counts beside the rows. */
  update: (change: (answer: Answer) => Answer) => void
}

const largestPage = 100
/** What the server takes in one batch. */
const mostSelected = 1000

type ListQuery<Answer> = (args: ListArgs) => UseQueryOptions<Answer, Error, Answer, (string | ListArgs)[]>

/** A page of rows as the table state asks for it. */
export function useList<Row extends { id: number }, Answer extends Page<Row> = Page<Row>>(
  list: ListQuery<Answer>,
  state: Pick<TableState, 'page' | 'keyword' | 'order' | 'search'>,
): List<Row, Answer> {
  const queries = useQueryClient()
  const { page, keyword, order } = state
  const options = list({ page, pagesize: pageSizeDefault, keyword, order })
  const query = useQuery(options)
  const update = (change: (answer: Answer) => Answer) => {
    const { queryKey } = options
    queries.setQueryData<Answer>(queryKey, (answer) => answer && change(answer))
    // An answer that is on its way may be from before the change.
    if (queries.isFetching({ queryKey, exact: true }) > 0) void queries.refetchQueries({ queryKey, exact: true })
  }
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
    everyId: async () => {
      const ids: number[] = []
      for (let at = 1; ids.length < mostSelected; at++) {
        const { list: rows } = await queries.fetchQuery(list({ page: at, pagesize: largestPage, keyword, order }))
        ids.push(...rows.map(({ id }) => id))
        if (rows.length < largestPage) break
      }
      return ids.slice(0, mostSelected)
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
