import { beforeEach, describe, expect, test } from 'bun:test'
import { type Breaker, createBreaker } from './breaker.ts'

const id = 1
const second = 1000
let breaker: Breaker
beforeEach(() => {
  breaker = createBreaker()
})

const failTimes = (times: number, at = 0) => {
  for (let round = 0; round < times; round += 1) breaker.fail(id, at)
}

describe('the breaker', () => {
  test('rests a channel after five faults in a row, for ten seconds', () => {
    failTimes(4)
    expect(breaker.resting(id, 0)).toBe(false)
    breaker.fail(id, 0)
    expect(breaker.resting(id, 0)).toBe(true)
    expect(breaker.resting(id, 10 * second - 1)).toBe(true)
    expect(breaker.resting(id, 10 * second)).toBe(false)
    expect(breaker.resting(2, 0)).toBe(false)
  })

  test('rests a channel no longer than its longest rest when the clock is set back', () => {
    const hour = 3600 * second
    failTimes(5, 9 * hour)
    expect(breaker.resting(id, 6 * hour)).toBe(false)
    breaker.begin(id, 6 * hour)
    expect(breaker.resting(id, 6 * hour + second)).toBe(true)
    breaker.fail(id, 6 * hour + second)
    expect(breaker.resting(id, 6 * hour + 20 * second)).toBe(true)
    expect(breaker.resting(id, 6 * hour + 21 * second)).toBe(false)
  })

  test('is calm unless a channel rests or is being probed', () => {
    breaker.fail(id, 0)
    expect(breaker.isCalm(0)).toBe(true)
    failTimes(4)
    expect(breaker.isCalm(10 * second - 1)).toBe(false)
    // The channel may have been deleted since: then no probe ends its rest.
    expect(breaker.isCalm(10 * second)).toBe(true)
    breaker.begin(id, 10 * second)
    expect(breaker.isCalm(10 * second)).toBe(false)
    breaker.succeed(id, 11 * second, 10 * second)
    expect(breaker.isCalm(11 * second)).toBe(true)
  })

  test('starts counting anew after a success', () => {
    failTimes(4)
    breaker.succeed(id, 0, 0)
    failTimes(4)
    expect(breaker.resting(id, 0)).toBe(false)
  })

  test('rests a channel of whose last ten or more requests within 30 s half failed', () => {
    for (let pair = 0; pair < 5; pair += 1) {
      expect(breaker.resting(id, pair * second)).toBe(false)
      breaker.fail(id, pair * second)
      breaker.succeed(id, pair * second, pair * second)
    }
    expect(breaker.resting(id, 5 * second)).toBe(false)
    breaker.fail(id, 5 * second)
    expect(breaker.resting(id, 5 * second)).toBe(true)
  })

  test('forgets what is older than 30 s', () => {
    for (let pair = 0; pair < 20; pair += 1) {
      breaker.fail(id, pair * 10 * second)
      breaker.succeed(id, pair * 10 * second, pair * 10 * second)
    }
    expect(breaker.resting(id, 200 * second)).toBe(false)
  })

  test('lets one probe through when the rest is over, and no other beside it', () => {
    failTimes(5)
    breaker.begin(id, 10 * second)
    expect(breaker.resting(id, 10 * second)).toBe(true)
    expect(breaker.states(10 * second)).toEqual(new Map([[id, 'probing']]))
  })

  test('closes with a successful probe', () => {
    failTimes(5)
    breaker.begin(id, 10 * second)
    breaker.succeed(id, 11 * second, 10 * second)
    expect(breaker.resting(id, 11 * second)).toBe(false)
    expect(breaker.states(11 * second).size).toBe(0)
    failTimes(4, 12 * second)
    expect(breaker.resting(id, 12 * second)).toBe(false)
  })

  test('rests on when requests begun before its rest are answered, and not when one begun since is', () => {
    breaker.fail(id, 2 * second, 42 * second)
    breaker.succeed(id, 3 * second, second)
    expect(breaker.resting(id, 3 * second)).toBe(true)
    breaker.succeed(id, 5 * second, 4 * second)
    expect(breaker.resting(id, 5 * second)).toBe(false)
  })

  test('doubles the rest with every failed probe, up to five minutes', () => {
    failTimes(5)
    let now = 0
    for (const rest of [10, 20, 40, 80, 160, 300, 300]) {
      expect(breaker.resting(id, now + rest * second - 1)).toBe(true)
      now += rest * second
      expect(breaker.resting(id, now)).toBe(false)
      breaker.begin(id, now)
      breaker.fail(id, now)
    }
  })

  test('faults of requests that were still running do not prolong the rest', () => {
    failTimes(9)
    expect(breaker.resting(id, 10 * second)).toBe(false)
  })

  test('respects how long a provider asks to be left alone, up to five minutes', () => {
    breaker.fail(id, 0, 42 * second)
    expect(breaker.resting(id, 42 * second - 1)).toBe(true)
    expect(breaker.resting(id, 42 * second)).toBe(false)
    breaker.fail(2, 0, 3600 * second)
    expect(breaker.resting(2, 300 * second - 1)).toBe(true)
    expect(breaker.resting(2, 300 * second)).toBe(false)
  })

  test('a probe nobody ever finished does not keep the channel away for ever', () => {
    failTimes(5)
    breaker.begin(id, 10 * second)
    expect(breaker.resting(id, 70 * second)).toBe(false)
  })

  test('forgets a channel on demand', () => {
    failTimes(5)
    breaker.forget(id)
    expect(breaker.resting(id, 0)).toBe(false)
  })
})
