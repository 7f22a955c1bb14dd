import { expect, test } from 'bun:test'
import { createSharedClock } from './shared-clock.ts'

test('a clock that is ahead follows the shared one, small differences aside', () => {
  const own = { ms: 1_000_000 }
  const clock = createSharedClock(() => own.ms)
  const at = performance.now()
  clock.follow(own.ms - 90_000, at, at)
  expect(Math.abs(clock.now() - (own.ms - 90_000))).toBeLessThan(50)
  const before = clock.now()
  clock.follow(before + 20, performance.now(), performance.now())
  expect(clock.now()).toBe(before)
})

test('an answer that was long under way says little about the time', () => {
  const clock = createSharedClock(() => 1000)
  const now = performance.now()
  clock.follow(1500, now - 4000, now)
  expect(clock.now()).toBe(1000)
})
