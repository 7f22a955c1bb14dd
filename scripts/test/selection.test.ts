import { describe, expect, test } from 'bun:test'
import { selectSuites } from './selection.mjs'

const tests = [
  { path: 'web/words.test.ts', lane: 'unit' },
  { path: 'server/money/sum.test.ts', lane: 'unit' },
  { path: 'server/money/rows.db.test.ts', lane: 'db' },
  { path: 'server/money/killed.proc.test.ts', lane: 'proc' },
  { path: 'scripts/package.proc.test.ts', lane: 'proc' },
  { path: 'server/import/old.db.test.ts', lane: 'db' },
  { path: 'e2e/login.spec.ts', lane: 'e2e' },
]

const selected = (flags: string[], ...filters: string[]) => {
  const { suites, problem } = selectSuites({ asked: new Set(flags), filters }, tests)
  return problem ?? Object.fromEntries((suites ?? []).map(({ name, files }) => [name, files.length]))
}

describe('which tests a command runs', () => {
  test('without a flag those on SQLite and the most important journeys', () => {
    expect(selected([])).toEqual({ sqlite: 4, smoke: 1 })
  })

  test('`--all` everything, each test once for each engine it belongs to', () => {
    expect(selected(['all'])).toEqual({ sqlite: 4, postgres: 2, proc: 2, 'proc-postgres': 1, mysql: 1, e2e: 1 })
  })

  test('`--rest` all that is left, so that both together are everything', () => {
    expect(selected(['rest'])).toEqual({ postgres: 2, proc: 2, 'proc-postgres': 1, mysql: 1, 'e2e-rest': 1 })
  })

  test.each([
    [[], ['server/money'], { sqlite: 2 }],
    [[], ['./server/money/sum.test.ts'], { sqlite: 1 }],
    [[], ['server/money/killed.proc.test.ts'], { proc: 1 }],
    [[], ['e2e/login.spec.ts:12'], { e2e: 1 }],
    [[], ['web', 'scripts/package.proc'], { sqlite: 1, proc: 1 }],
    [['postgres'], ['server/money'], { postgres: 1 }],
    [['postgres'], ['server/money/killed.proc.test.ts'], { 'proc-postgres': 1 }],
    [['sqlite'], ['server/money/killed.proc.test.ts'], { proc: 1 }],
    [['proc'], ['server/money'], { proc: 1, 'proc-postgres': 1 }],
    [['proc', 'postgres'], ['server/money'], { 'proc-postgres': 1 }],
    [['mysql'], [], { mysql: 1 }],
    [['e2e'], ['login.spec.ts'], { e2e: 1 }],
  ])('%j with %j', (flags: string[], filters: string[], found: Record<string, number>) => {
    expect(selected(flags, ...filters)).toEqual(found)
  })

  test('a path that fits nothing is named', () => {
    expect(selected([], 'server/nothing')).toBe('No test fits server/nothing.')
    expect(selected(['postgres'], 'web')).toBe('No test fits web and --postgres.')
  })
})
