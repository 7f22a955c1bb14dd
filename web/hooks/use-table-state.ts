import { useSearchParams } from 'react-router'
import { pageOf, type Sort, sortOf, toggledSort, withFields } from '#web/lib/table-address.ts'
import { useTextOf } from './use-text-of.ts'

export type { Sort } from '#web/lib/table-address.ts'

export interface TableState {
  page: number
  keyword: string
  order: string
  sort: Sort | null
  /** What stands in the search box; searched only on Enter. */
  searchText: string
  setSearchText: (text: string) => void
  setPage: (page: number) => void
  search: (keyword: string) => void
  clearSearch: () => void
  setOrder: (order: string) => void
  /** First click ascending, second descending. */
  toggleSort: (column: string) => void
}

/** Page, search, order and column sort of a list, kept in the address. `orders` are the values of its sort dropdown. */
export function useTableState(orders: readonly string[] = ['']): TableState {
  const [params, setParams] = useSearchParams()
  const keyword = params.get('q') ?? ''
  const order = params.get('order') ?? ''
  const sort = sortOf(params.get('sort'))
  const [searchText, setSearchText] = useTextOf(keyword)
  const change = (changes: Record<string, string>) =>
    setParams((before) => withFields(before, changes), { replace: true, preventScrollReset: true })
  return {
    page: pageOf(params.get('page')),
    keyword,
    order: orders.includes(order) ? order : '',
    sort,
    searchText,
    setSearchText,
    setPage: (page) => change({ page: page === 1 ? '' : String(page) }),
    search: (text) => change({ q: text.trim(), page: '' }),
    clearSearch: () => {
      setSearchText('')
      change({ q: '', page: '' })
    },
    setOrder: (next) => change({ order: next, page: '' }),
    toggleSort: (column) => change({ sort: toggledSort(sort, column) }),
  }
}
