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
    expect(ids(533)).toEqual(['name', 'weight', 'balance', 'actions'])
  })

  test('go one after the other as it gets narrower', () => {
    expect(ids(532)).toEqual(['name', 'balance', 'actions'])
    expect(ids(432)).toEqual(['name', 'actions'])
  })

  test('are narrowed to their least widths before one goes', () => {
    const spare = columns.map((each) => (each.id === 'balance' ? { ...each, least: 60 } : each))
    const widths = (room: number) => fitColumns(spare, room)?.map(({ width }) => width)
    expect(widths(533)).toEqual([undefined, 100, 100, 200])
    expect(widths(513)).toEqual([undefined, 100, 80, 200])
    expect(widths(493)).toEqual([undefined, 100, 60, 200])
    expect(widths(492)).toEqual([undefined, 100, 200])
  })

  test('keep their least widths where the one without a width gives up its slack', () => {
    const [name, ...rest] = columns.map((each) => (each.id === 'balance' ? { ...each, least: 60 } : each))
    const spare = name ? [{ ...name, least: 110 }, ...rest] : []
    const widths = (room: number) => fitColumns(spare, room)?.map(({ width }) => width)
    expect(widths(493)).toEqual([undefined, 100, 60, 200])
    expect(widths(470)).toEqual([undefined, 100, 60, 200])
    expect(widths(469)).toEqual([undefined, 100, 200])
  })

  test('go sooner where names are long, later where they are short', () => {
    const named = [{ ...column('name'), title: ({ name }: { name: string }) => name }, ...columns.slice(1)] as Array<
      Column<{ name: string }>
    >
    const kept = (name: string) => fitColumns(named, 520, [{ name }])?.map(({ id }) => id)
    expect(kept('ci')).toContain('weight')
    expect(kept('anthropic-committed')).not.toContain('weight')
    expect(kept('市场部的日常测试渠道')).not.toContain('weight')
  })

  test('give way to two-line rows when even the last do not fit', () => {
    expect(ids(332)).toBeUndefined()
  })
})
