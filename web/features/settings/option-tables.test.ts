import { expect, test } from 'bun:test'
import { optionSections } from '#shared/option-sections.ts'
import { options } from '#shared/options.ts'
import { keysOf, optionTabs } from './option-tables.ts'

const drawn = Object.values(optionTabs).flat()

test('every option stands in the settings exactly once', () => {
  expect(drawn.flatMap<string>(keysOf).toSorted()).toEqual(Object.keys(options).toSorted())
})

test('every section of options stands in one tab and is not empty', () => {
  const names = drawn.filter((section) => section.name !== 'update').map(({ name }) => name as string)
  expect(names.toSorted()).toEqual(Object.keys(optionSections).toSorted())
  for (const section of drawn) expect(section.items).not.toBeEmpty()
})
