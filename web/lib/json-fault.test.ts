import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '#shared/testing/thoroughness.ts'
import { jsonFault } from './json-fault.ts'

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('everything that is JSON has no fault', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(jsonFault(text)).toBeNull()
      expect(jsonFault(JSON.stringify(JSON.parse(text), null, 2))).toBeNull()
    }),
    runs(100),
  )
})

test('JSON with a character changed has a fault exactly when the browser refuses it', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom('', '}', ',', '"', 'x', '1', ' ', '\n'), (text, place, char) => {
      const at = place % text.length
      const changed = text.slice(0, at) + char + text.slice(at + 1)
      expect(jsonFault(changed) === null).toBe(parses(changed))
    }),
    runs(100),
  )
})

test.each([
  ['{"a": }', 6, 1, 7],
  ['{"a": 1,}', 8, 1, 9],
  ['{\n  "a": 1\n  "b": 2\n}', 13, 3, 3],
  ['{"a": 1', 7, 1, 8],
  ['', 0, 1, 1],
  ['{"a": "x', 8, 1, 9],
  ['{} {}', 3, 1, 4],
])('%j is wrong at character %d', (text, index, line, column) => {
  expect(jsonFault(text)).toMatchObject({ index, line, column })
})
