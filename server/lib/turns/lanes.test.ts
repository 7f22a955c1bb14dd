import { expect, test } from 'bun:test'
import { createLanes } from './lanes.ts'

test('works of one name are done one after the other, in order, also behind one that failed', async () => {
  const lanes = createLanes(5)
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const work = (name: string, wait?: Promise<void>) => async () => {
    order.push(`${name} begins`)
    await wait
    order.push(`${name} ends`)
    if (name === 'one') throw new Error('failed')
  }
  const one = lanes.run('ann', work('one', first.promise))?.catch(() => 'failed')
  const two = lanes.run('ann', work('two'))
  await lanes.run('ben', work('of ben'))
  first.resolve()
  expect(await one).toBe('failed')
  await two
  expect(order).toEqual(['one begins', 'of ben begins', 'of ben ends', 'one ends', 'two begins', 'two ends'])
})

test('only so many wait under one name, and all that were let in are done', async () => {
  const lanes = createLanes(1)
  const gate = Promise.withResolvers<number>()
  const running = [lanes.run('ann', () => gate.promise), lanes.run('ann', async () => 2)]
  expect(lanes.run('ann', async () => 3)).toBeNull()
  expect(lanes.run('ben', async () => 4)).not.toBeNull()
  gate.resolve(1)
  expect(await Promise.all(running)).toEqual([1, 2])
  expect(await lanes.run('ann', async () => 5)).toBe(5)
})
