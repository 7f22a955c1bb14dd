import { beforeEach, describe, expect, test } from 'bun:test'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import type { Page } from '#shared/pagination.ts'
import { type ListArgs, listQuery } from '#web/state/queries/list-query.ts'
import { type List, useList } from './use-list.ts'

interface Row {
  id: number
  name: string
}

const asked: ListArgs[] = []
const rows = (...names: string[]): Page<Row> => ({
  list: names.map((name, index) => ({ id: index + 1, name })),
  total: 40,
  currentPage: 1,
  pageSize: 10,
})
const query = listQuery('tokens', async (args): Promise<Page<Row>> => {
  asked.push(args)
  return rows('c')
})

let queries: QueryClient
const searched: string[] = []
beforeEach(() => {
  queries = new QueryClient()
  asked.length = 0
  searched.length = 0
})

function drawn(state: { page: number; keyword: string; order: string }): List<Row, Page<Row>> {
  const seen: List<Row, Page<Row>>[] = []
  const Probe = () => {
    seen.push(useList<Row>(query, { ...state, search: (keyword) => searched.push(keyword) }))
    return null
  }
  renderToString(
    <QueryClientProvider client={queries}>
      <Probe />
    </QueryClientProvider>,
  )
  return seen[0] as List<Row, Page<Row>>
}

const first = { page: 1, keyword: '', order: '' }
const args: ListArgs = { ...first, pagesize: 10 }
const known = () => queries.setQueryData(query(args).queryKey, rows('a', 'b'))
const kept = () => queries.getQueryData<Page<Row>>(query(args).queryKey)

describe('a list', () => {
  test('is loading until its first answer', () => {
    expect(drawn(first)).toMatchObject({ rows: [], total: 0, loading: true, failed: false })
  })

  test('shows the rows of its page, and none of another page', () => {
    known()
    expect(drawn(first)).toMatchObject({ rows: rows('a', 'b').list, total: 40, loading: false })
    expect(drawn({ ...first, page: 2 }).rows).toEqual([])
  })

  test('asks for the page, keyword and order of the table', async () => {
    await queries.fetchQuery(query({ ...args, page: 2, keyword: 'ci', order: 'used_quota' }))
    expect(asked).toEqual([{ page: 2, pagesize: 10, keyword: 'ci', order: 'used_quota' }])
  })

  test('changes one row in place', () => {
    known()
    drawn(first).patch(2, { name: 'z' })
    expect(kept()?.list).toEqual(rows('a', 'z').list)
    expect(asked).toEqual([])
  })

  test('an answer on its way when a row changes is from before the change, and is asked for anew', async () => {
    const late = Promise.withResolvers<Page<Row>>()
    known()
    const asking = queries.fetchQuery({ ...query(args), queryFn: () => late.promise })
    drawn(first).patch(2, { name: 'z' })
    late.resolve(rows('a', 'b'))
    await asking.catch(() => undefined)
    expect(asked).toHaveLength(1)
    expect(kept()?.list).toEqual(rows('c').list)
  })

  test('takes a row out and counts one less', () => {
    known()
    drawn(first).remove(1)
    expect(kept()).toMatchObject({ list: [{ id: 2, name: 'b' }], total: 39 })
  })

  test('a change of a list that has not come yet changes nothing', () => {
    drawn(first).patch(1, { name: 'z' })
    expect(kept()).toBeUndefined()
  })

  test('looking for the same word again asks again', async () => {
    known()
    drawn(first).search('')
    await Promise.resolve()
    expect(searched).toEqual([''])
    expect(asked).toHaveLength(1)
  })

  test('looking for another word leaves the asking to the address', () => {
    known()
    drawn(first).search('ci')
    expect(searched).toEqual(['ci'])
    expect(asked).toEqual([])
  })
})
