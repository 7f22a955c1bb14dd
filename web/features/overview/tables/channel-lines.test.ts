import { expect, test } from 'bun:test'
import type { UsageRow } from '#shared/api/usage.ts'
import { channelLines } from './channel-lines.ts'

const usageOf = (key: string, label: string) => ({ key, label }) as UsageRow
const channels = [
  { id: 1, name: 'azure' },
  { id: 2, name: 'paris' },
  { id: 3, name: 'spare' },
]
const usage = { list: [usageOf('2', 'paris'), usageOf('9', '')], total: 2 }
const names = (given: Partial<Parameters<typeof channelLines>[0]>) =>
  channelLines({ usage, channels, chips: [], ...given }).map(({ name, used }) => (used ? name : `(${name})`))
const chip = (value: string, leaveOut: boolean) => ({ field: 'channel' as const, value, leaveOut })

test('channels that answered nothing stand below those that did', () => {
  expect(names({})).toEqual(['paris', '#9', '(azure)', '(spare)'])
})

test('a filter by channel holds for channels that answered nothing too', () => {
  expect(names({ chips: [chip('3', false), chip('2', false)] })).toEqual(['paris', '#9', '(spare)'])
  expect(names({ chips: [chip('3', true)] })).toEqual(['paris', '#9', '(azure)'])
  expect(names({ chips: [{ field: 'model_name', value: '3', leaveOut: true }] })).toContain('(spare)')
})

test('no channel is shown as silent before its figures are loaded', () => {
  expect(names({ usage: undefined })).toEqual([])
  expect(names({ usage: { ...usage, total: 51 } })).toEqual(['paris', '#9'])
})
