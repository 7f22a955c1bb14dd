import { expect, test } from 'bun:test'
import { inStep } from './in-step.ts'

/** Takes so many steps, each noted. */
async function walk(name: string, steps: number, seen: string[]): Promise<void> {
  await inStep()
  for (let step = 1; step <= steps; step += 1) {
    seen.push(`${name}${step}`)
    await Promise.resolve()
  }
}

test('those who wait at one turn take each step one after the other, in the order they came', async () => {
  const seen: string[] = []
  await Promise.all([walk('a', 2, seen), walk('b', 3, seen), walk('c', 1, seen)])
  expect(seen).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'b3'])
})

test('who comes later does not hold up those who wait', async () => {
  const seen: string[] = []
  const first = walk('a', 1, seen).then(() => walk('b', 1, seen))
  await walk('c', 1, seen)
  expect(seen).toEqual(['a1', 'c1'])
  await first
  expect(seen).toEqual(['a1', 'c1', 'b1'])
})

test('nobody goes on before the turn is over', async () => {
  const seen: string[] = []
  const walking = walk('a', 1, seen)
  await Promise.resolve()
  expect(seen).toEqual([])
  await walking
  expect(seen).toEqual(['a1'])
})
