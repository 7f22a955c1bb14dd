import { expect, test } from 'bun:test'
import { readFilterList, writeFilterList } from './filter-list.ts'

test('names with commas, exclamation marks and backslashes are read as they were written', () => {
  const values = ['gpt-4o', 'team a, prod', '!sale', 'a!', 'c:\\temp', '\\', '\\,', '!,\\!', '名前']
  for (const leaveOut of [false, true]) {
    const items = values.map((value) => ({ value, leaveOut }))
    expect(readFilterList(writeFilterList(items))).toEqual(items)
  }
})

test('a plain list needs no backslash, and blanks are no names', () => {
  expect(readFilterList(' a , !b,, !,')).toEqual([
    { value: 'a', leaveOut: false },
    { value: 'b', leaveOut: true },
  ])
  expect(readFilterList('')).toEqual([])
})
