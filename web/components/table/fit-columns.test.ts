import { describe, expect, test } from 'bun:test'
import type { Column } from './column.ts'
import { fitColumns } from './fit-columns.ts'

const column = (id: string, width?: number, drop?: Column<object>['drop']): Column<object> => ({
  id,
  header: id,
  cell: () => id,
  phone: 'meta',
  ...(width === undefined ? {} : { width }),
  ...(drop === undefined ? {} : { drop }),
})

const columns = [column('name'), column('weight', 100, 1), column('balance', 100, 2), column('actions', 200)]
const ids = (room: number) => fitColumns(columns, room)?.map(({ id }) => id)

describe('the columns of a table', () => {
  test('all stay when there is room', () => {
    expect(ids(550)).toEqual(['name', 'weight', 'balance', 'actions'])
  })

  test('go one after the other as it gets narrower', () => {
    expect(ids(549)).toEqual(['name', 'balance', 'actions'])
    expect(ids(449)).toEqual(['name', 'actions'])
  })

  test('give way to two-line rows when even the last do not fit', () => {
    expect(ids(349)).toBeUndefined()
  })
})
