import { expect, test } from 'bun:test'
import { createPace, workTurn } from './work-turns.ts'

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve))

test('of works that wait together each has a turn of the event loop of its own', async () => {
  let turns = 0
  const works = Array.from({ length: 5 }, () => workTurn().then(() => (turns += 1)))
  await turnOfTheLoop()
  expect(turns).toBeLessThan(3)
  await Promise.all(works)
  expect(turns).toBe(5)
})

test('a work is due to give way when its slice is over, and not before', async () => {
  const pace = createPace()
  expect(pace.isDue()).toBe(false)
  const until = performance.now() + 8
  while (performance.now() < until);
  expect(pace.isDue()).toBe(true)
  await pace.giveWay()
  expect(pace.isDue()).toBe(false)
})
