import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '#shared/testing/thoroughness.ts'
import { isTooDeep, jsonFault, jsonLevelsMax, jsonValuesMax, longListValuesMax } from './json-text.ts'

const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels)

test('200 levels are fine, one more is not, of lists and of objects', () => {
  expect(jsonFault(nested(jsonLevelsMax))).toBeNull()
  expect(jsonFault(nested(jsonLevelsMax + 1))).toBe('too deep')
  expect(isTooDeep(nested(jsonLevelsMax))).toBe(false)
  expect(isTooDeep(nested(jsonLevelsMax + 1))).toBe(true)
  const objects = `${'{"a":'.repeat(201)}1${'}'.repeat(201)}`
  expect(jsonFault(objects)).toBe('too deep')
  expect(isTooDeep(objects)).toBe(true)
})

test('as many values as an embedding of the most tokens has are fine, too many are not', () => {
  const list = (values: number) => `{"input":[${'1,'.repeat(values - 1)}1]}`
  expect(jsonFault(list(300_000))).toBeNull()
  expect(jsonFault(list(jsonValuesMax))).toBe('too many')
  expect(jsonFault(list(jsonValuesMax), longListValuesMax)).toBeNull()
  expect(jsonFault(JSON.stringify({ text: ',['.repeat(jsonValuesMax) }))).toBeNull()
})

test('names count as well, because different ones take long to read', () => {
  const named = (members: number) => `{${Array.from({ length: members }, (_, at) => `"n${at}":1`).join()}}`
  expect(jsonFault(named(99_999))).toBeNull()
  expect(jsonFault(named(100_000))).toBe('too many')
  expect(jsonFault(`[${'{"a":1},'.repeat(90_000)}{}]`)).toBe('too many')
})

test('what comes after too many values is not looked at', () => {
  const text = `[${'1,'.repeat(20_000_000)}1]`
  const started = performance.now()
  expect(jsonFault(text)).toBe('too many')
  expect(performance.now() - started).toBeLessThan(200)
})

test('brackets inside strings open nothing, whatever is escaped there', () => {
  for (const text of [nested(300), `\\"${nested(300)}`, `${nested(300)}\\\\`]) {
    const body = JSON.stringify({ text, other: [text] })
    expect(jsonFault(body)).toBeNull()
    expect(isTooDeep(body)).toBe(false)
  }
})

test.each([
  ['{"a":1,"a":2}', 'key twice'],
  ['{"a":1 , "b":{} , "a"\n:2}', 'key twice'],
  ['{"model":1,"m\\u006fdel":2}', 'key twice'],
  ['{"\\"":1,"\\u0022":2}', 'key twice'],
  ['[[{"x":[{"a":{"b":1,"b":1}}]}]]', 'key twice'],
  ['{"a":{"a":{"a":1}},"b":{"a":1}}', null],
  ['[{"a":1},{"a":1}]', null],
  ['{"a":"a","b":"a"}', null],
  ['{"A":1,"a":1}', null],
  ['{"a":{"b":1},"c":{"b":1},"b":1}', null],
  ['not json {', null],
  ['{"a', null],
  ['"\\', null],
  ['}}}{"a":1}', null],
] as const)('%j: %s', (text, fault) => {
  expect(jsonFault(text)).toBe(fault)
})

test('many names are looked through as quickly as few', () => {
  const names = Array.from({ length: 50_000 }, (_, at) => `"name${at}":${at}`)
  expect(jsonFault(`{${names.join()}}`)).toBeNull()
  expect(jsonFault(`{${names.join()},"name25000":1}`)).toBe('key twice')
})

test('whatever a program writes as JSON has neither fault', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => jsonFault(JSON.stringify(value)) === null),
    runs(100),
  )
})

test('a name repeated anywhere is found', () => {
  const keys = fc.array(fc.string(), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(keys, fc.nat(), (names, pick) => {
      const unique = [...new Set(names)]
      const again = unique[pick % unique.length] ?? ''
      const members = [...unique, again].map((name) => `${JSON.stringify(name)}: {"x": [1, "y"]}`)
      return jsonFault(`[{${members.join(', ')}}]`) === 'key twice'
    }),
    runs(100),
  )
})
