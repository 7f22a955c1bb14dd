import { describe, expect, test } from 'bun:test'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { toggledSort, withFields } from '#web/lib/table-address.ts'
import { type TableState, useTableState } from './use-table-state.ts'

function stateAt(address: string, orders?: readonly string[]): TableState {
  const seen: TableState[] = []
  const Probe = () => {
    seen.push(useTableState(orders))
    return null
  }
  renderToString(
    <MemoryRouter initialEntries={[address]}>
      <Probe />
    </MemoryRouter>,
  )
  return seen[0] as TableState
}

describe('the state of a table is what the address says', () => {
  test('page, keyword, order and sort', () => {
    expect(stateAt('/token?page=3&q=ci&order=used_quota&sort=-name', ['', 'used_quota'])).toMatchObject({
      page: 3,
      keyword: 'ci',
      searchText: 'ci',
      order: 'used_quota',
      sort: { column: 'name', descending: true },
    })
  })

  test('an empty address is the first page of everything', () => {
    expect(stateAt('/token')).toMatchObject({ page: 1, keyword: '', order: '', sort: null })
  })

  test.each(['0', '-1', '1.5', 'x', '99999999999999999999', ''])('page %p counts as the first', (page) => {
    expect(stateAt(`/token?page=${page}`).page).toBe(1)
  })

  test('an order the list does not know counts as none', () => {
    expect(stateAt('/token?order=drop', ['', 'used_quota']).order).toBe('')
  })
})

test('a column is sorted upwards first, downwards second, and another begins anew', () => {
  const first = toggledSort(null, 'name')
  expect(first).toBe('name')
  expect(toggledSort({ column: 'name', descending: false }, 'name')).toBe('-name')
  expect(toggledSort({ column: 'name', descending: true }, 'name')).toBe('name')
  expect(toggledSort({ column: 'name', descending: false }, 'type')).toBe('type')
})

test('a change leaves the rest of the address alone, and what is empty goes', () => {
  const before = new URLSearchParams('q=ci&page=4&open=7')
  expect(withFields(before, { q: 'cd', page: '' }).toString()).toBe('q=cd&open=7')
  expect(before.toString()).toBe('q=ci&page=4&open=7')
})
