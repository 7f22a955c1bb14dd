import { expect, test } from 'bun:test'
import { commandFor, summarise } from './summary.mjs'

const result = { title: 'tests', flags: '', passed: 3, failures: [], late: [], seconds: {} }
const failure = { file: 'server/x.test.ts', name: 'it breaks', failure: 'Error: no' }
const late = { file: 'server/x.proc.test.ts', name: 'it hangs' }

test('the numbers of all suites are added up', () => {
  expect(summarise([result, { ...result, failures: [failure] }])).toMatchObject({ passed: 6, failed: 1 })
})

test('one test that passed on its second try is named, two are a failure', () => {
  const once = summarise([{ ...result, late: [late] }])
  expect(once).toMatchObject({ passed: 3, failed: 0 })
  expect(once.text).toContain('server/x.proc.test.ts: it hangs')
  expect(
    summarise([
      { ...result, late: [late] },
      { ...result, late: [late] },
    ]).failed,
  ).toBe(1)
})

test('the slowest ten files are listed, the slowest first', () => {
  const seconds = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`file-${at}.test.ts`, at]))
  const { text } = summarise([{ ...result, seconds }])
  expect([...(text.match(/file-\d+/g) ?? [])]).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((at) => `file-${at}`))
})

test.each([`it's "odd" (a|b) $1 [x] \\ 50%`, 'lines\nbelow — ünd', 'costs 1.5, or 2/3: so'])(
  'the command for one test has a pattern that fits its name: %j',
  (name) => {
    const [, pattern = ''] = / -t '([^']*)'$/.exec(commandFor({ file: 'x.test.ts', name }, '')) ?? []
    expect(name).toMatch(new RegExp(pattern))
    expect(`${name} too`).not.toMatch(new RegExp(pattern))
  },
)

test('a failure carries the command that runs it alone, in its lane', () => {
  const { text } = summarise([{ ...result, flags: '--postgres ', failures: [failure] }])
  expect(text).toContain("npm test -- --postgres server/x.test.ts -t '^it breaks$'")
})

test('a failure of a journey is run alone by its line', () => {
  expect(commandFor({ file: 'e2e/x.spec.ts', line: 12, name: 'opens' }, '--e2e ')).toBe(
    'npm test -- --e2e e2e/x.spec.ts:12',
  )
})
