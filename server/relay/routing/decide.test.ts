import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '#shared/testing/thoroughness.ts'
import { drawFrom, firstAmong, type RoutingConditions, sharesOf } from './decide.ts'
import { asLastResort } from './routing-conditions.ts'
import type { RoutedChannel } from './routing-table.ts'

const channel = (id: number, priority = 0, weight = 0): RoutedChannel => ({
  id,
  name: `channel ${id}`,
  type: 1,
  key: '',
  baseUrl: '',
  other: '',
  mapping: new Map(),
  models: new Set(['gpt-4o']),
  groups: ['default'],
  status: 1,
  priority,
  weight,
  limits: { rpm: 0, tpm: 0, parallel: 0 },
  costRatio: 1,
  headers: null,
  overrides: null,
  proxy: '',
  keys: [''],
  testModel: '',
})

const calm: RoutingConditions = {
  strategy: 'weight',
  isCalm: false,
  obstacle: () => null,
  cost: () => null,
  latency: () => null,
  preferred: null,
}

/** As the relay does it: those who rest come when nobody else is left. */
function choose(
  candidates: RoutedChannel[],
  tried: ReadonlySet<number>,
  changes: Partial<RoutingConditions>,
  random: () => number,
): RoutedChannel | null {
  const conditions = { ...calm, ...changes }
  const awake = firstAmong(candidates, conditions, tried)
  return drawFrom(awake.length > 0 ? awake : firstAmong(candidates, asLastResort(conditions), tried), random)
}

const pick = (
  candidates: RoutedChannel[],
  {
    tried = [] as number[],
    resting = [] as number[],
    random = Math.random,
    ...changes
  } = {} as Partial<RoutingConditions> & {
    tried?: number[]
    resting?: number[]
    random?: () => number
  },
) =>
  choose(
    candidates,
    new Set(tried),
    { obstacle: ({ id }) => (resting.includes(id) ? 'rest' : null), ...changes },
    random,
  )?.id ?? null

/** How often each is picked when chance is spread evenly. */
function shares(candidates: RoutedChannel[], draws = 1000): Record<number, number> {
  const counts: Record<number, number> = {}
  for (let draw = 0; draw < draws; draw += 1) {
    const id = pick(candidates, { random: () => (draw + 0.5) / draws }) ?? 0
    counts[id] = (counts[id] ?? 0) + 1
  }
  return counts
}

describe('the channel to try', () => {
  test('has the highest priority', () => {
    expect(pick([channel(1, 0, 100), channel(2, 5), channel(3, -1, 9)])).toBe(2)
  })

  test('is chosen by weight among equals', () => {
    expect(shares([channel(1, 0, 1), channel(2, 0, 3)])).toEqual({ 1: 250, 2: 750 })
  })

  test('has equal chances when no weights are given', () => {
    expect(shares([channel(1), channel(2), channel(3), channel(4)])).toEqual({ 1: 250, 2: 250, 3: 250, 4: 250 })
  })

  test('without weight beside weights is a reserve: used when the others have been tried', () => {
    const candidates = [channel(1, 0, 1), channel(2, 0, 0)]
    expect(shares(candidates)).toEqual({ 1: 1000 })
    expect(pick(candidates, { tried: [1] })).toBe(2)
  })

  test('of lower priority comes when all of higher priority were tried', () => {
    expect(pick([channel(1, 9), channel(2, 9), channel(3, 1)], { tried: [1, 2] })).toBe(3)
  })

  test('of lower priority comes before a resting one of higher priority', () => {
    expect(pick([channel(1, 9), channel(2, 1)], { resting: [1] })).toBe(2)
  })

  test('rests only as long as another is left', () => {
    expect(pick([channel(1, 9), channel(2, 1)], { resting: [1, 2] })).toBe(1)
    expect(pick([channel(1, 9), channel(2, 1)], { resting: [1], tried: [2] })).toBe(1)
  })

  test('is none when all were tried', () => {
    expect(pick([channel(1)], { tried: [1] })).toBeNull()
    expect(pick([])).toBeNull()
  })

  test('at its limit is never the last resort', () => {
    expect(pick([channel(1)], { obstacle: () => 'limit' })).toBeNull()
  })

  test('is the cheapest of equal priority under cost, and one of unknown cost comes last', () => {
    const cost = ({ id }: RoutedChannel) => [null, 3, 1, null][id] ?? null
    const candidates = [channel(1, 0, 9), channel(2, 0, 1), channel(3, 0, 9), channel(4, -1)]
    expect(pick(candidates, { strategy: 'cost', cost })).toBe(2)
    expect(pick(candidates, { strategy: 'cost', cost, tried: [2] })).toBe(1)
    expect(pick(candidates, { strategy: 'cost', cost, tried: [1, 2] })).toBe(3)
  })

  test('is the fastest of equal priority under latency, and one nobody has measured is', () => {
    const latency = ({ id }: RoutedChannel) => [null, 300, 100, null][id] ?? null
    expect(pick([channel(1), channel(2)], { strategy: 'latency', latency })).toBe(2)
    expect(pick([channel(1), channel(2), channel(3)], { strategy: 'latency', latency })).toBe(3)
  })

  test('is the one that has the conversation, while nothing stands in its way', () => {
    const candidates = [channel(1, 5, 1), channel(2, 0, 1)]
    expect(pick(candidates, { preferred: 2 })).toBe(2)
    expect(pick(candidates, { preferred: 2, resting: [2] })).toBe(1)
    expect(pick(candidates, { preferred: 2, tried: [2] })).toBe(1)
    expect(pick(candidates, { preferred: 7 })).toBe(1)
  })

  test('has shares that add up to one', () => {
    expect(sharesOf([channel(1, 0, 1), channel(2, 0, 3)])).toEqual([0.25, 0.75])
    expect(sharesOf([channel(1), channel(2)])).toEqual([0.5, 0.5])
    expect(sharesOf([])).toEqual([])
  })

  test('whatever the list: never one tried, never a lower priority than an awake one has, and one as long as there is one', () => {
    const entry = fc.record({
      priority: fc.integer({ min: -2, max: 2 }),
      weight: fc.nat(3),
      tried: fc.boolean(),
      resting: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 8 }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (list, chance) => {
          const candidates = list.map(({ priority, weight }, id) => channel(id, priority, weight))
          const picked = choose(
            candidates,
            new Set(list.flatMap(({ tried }, id) => (tried ? [id] : []))),
            { obstacle: ({ id }) => (list[id]?.resting ? 'rest' : null) },
            () => chance,
          )
          const untried = candidates.filter(({ id }) => !list[id]?.tried)
          if (untried.length === 0) return expect(picked).toBeNull()
          const awake = untried.filter(({ id }) => !list[id]?.resting)
          const pool = awake.length > 0 ? awake : untried
          const best = pool.filter(({ priority }) => priority === Math.max(...pool.map((one) => one.priority)))
          const weighted = best.filter(({ weight }) => weight > 0)
          expect((weighted.length > 0 ? weighted : best).map(({ id }) => id)).toContain(picked?.id ?? -1)
        },
      ),
      runs(100),
    )
  })
})
