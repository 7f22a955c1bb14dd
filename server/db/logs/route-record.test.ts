import { expect, test } from 'bun:test'
import { readStandings, writeStandings } from '#shared/routing-reasons.ts'
import { noRoute, parseRoute, type StoredRoute, writeRoute } from './route-record.ts'

const read = (route: StoredRoute) => ({ ...route, candidates: readStandings(route.candidates) })

test('a route without a fault is short and reads as it was', () => {
  const first = { channel: 3, duration_ms: 120, fault: null }
  for (const route of [
    { reserve: 500, tries: [first], candidates: '3f:only', cost_by: 0.5 },
    { reserve: 0, tries: [first, { channel: 41, duration_ms: 8, fault: null }], candidates: '3f:weight,41r:priority' },
    { reserve: 7, tries: [], candidates: '', cost_by: 'reported' as const },
    { reserve: 7, tries: [], candidates: '1-3o:rest', cost_by: 0 },
  ]) {
    const text = writeRoute(route)
    expect(text).not.toContain('{')
    expect(parseRoute(text)).toEqual(read(route))
  }
})

test('a route with a fault keeps all of it, whatever the vendor said', () => {
  const fault = { status: 500, message: 'a | and a { in "it", 3:4', internal: true as const }
  const tries = [
    { channel: 3, duration_ms: 120, fault },
    { channel: 4, duration_ms: 7, fault: null },
  ]
  const route = { reserve: 500, tries, candidates: '3-4f:weight', cost_by: 1 }
  expect(parseRoute(writeRoute(route))).toEqual(read(route))
})

test('rows of before are read: those with JSON, and those without a route', () => {
  const tries = [{ channel: 1, duration_ms: 14, fault: null }]
  const route = { reserve: 500, tries, candidates: '1f:only', cost_by: 1 }
  expect(parseRoute(JSON.stringify(route))).toEqual(read(route))
  for (const text of ['', '{}', 'nothing of the kind', '{"reserve":']) expect(parseRoute(text)).toEqual(noRoute)
})

test('channels with neighbouring numbers in the same place share an entry', () => {
  const weight = { state: 'first', reason: 'weight' } as const
  const rest = { state: 'out', reason: 'rest' } as const
  const text = writeStandings([
    [2, weight],
    [3, weight],
    [4, weight],
    [6, weight],
    [5, weight],
    [7, rest],
    [8, rest],
  ])
  expect(text).toBe('2-4f:weight,6f:weight,5f:weight,7-8o:rest')
  expect(readStandings(text).map(({ channel_id, state }) => `${channel_id} ${state}`)).toEqual([
    '2 first',
    '3 first',
    '4 first',
    '6 first',
    '5 first',
    '7 out',
    '8 out',
  ])
})
