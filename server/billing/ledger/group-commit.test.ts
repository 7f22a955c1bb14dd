import { describe, expect, test } from 'bun:test'
import { groupCommit } from './group-commit.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Commits that only say how many shared each, while so many requests are under way. */
function countedCommits(underWay: number) {
  const shared: number[] = []
  const { settle, drain } = groupCommit(
    (operations) => {
      shared.push(operations.length)
      return { results: operations.map(() => ({ paid: 0, shortfall: 0 }) as never) }
    },
    () => underWay,
  )
  return { shared, drain, settle: () => settle({} as never) }
}

describe('a commit', () => {
  test('does not wait for others when its request is alone', async () => {
    const { shared, settle, drain } = countedCommits(1)
    void settle()
    await nextTurn()
    expect(shared).toEqual([1])
    await drain()
  })

  test('waits for others while most requests are still under way', async () => {
    const { shared, settle, drain } = countedCommits(10)
    void settle()
    await Promise.resolve()
    for (let more = 0; more < 4; more += 1) void settle()
    await drain()
    expect(shared).toEqual([5])
  })

  test('does not wait for more than sixteen, however many are under way', async () => {
    const { shared, settle, drain } = countedCommits(1000)
    for (let more = 0; more < 16; more += 1) void settle()
    await nextTurn()
    expect(shared).toEqual([16])
    await drain()
  })
})
