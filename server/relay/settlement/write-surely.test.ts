import { expect, test } from 'bun:test'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { createPendingSettlements } from './pending-settlements.ts'
import { writeSurely } from './write-surely.ts'

const failing = (code: string) => Object.assign(new Error('not written'), { code })

/** Writes until the list of failures is used up; answers how often that was and what the log says. */
async function written(...failures: Error[]) {
  const lines: string[] = []
  const log = { error: (line: string) => lines.push(line) }
  const pendingSettlements = createPendingSettlements()
  const context = { ctx: { log }, pendingSettlements } as unknown as RelayContext
  let tries = 0
  await writeSurely(
    context,
    { of: 'a response', done: 'kept', facts: {} },
    async () => {
      tries += 1
      const failure = failures.shift()
      if (failure) throw failure
    },
    1,
  )
  await pendingSettlements.done(5000)
  return { tries, lines }
}

test.each(['23514', '22003', 'SQLITE_CONSTRAINT_CHECK', 'SQLITE_TOOBIG'])(
  'what the database refuses (%s) is given up at once, and the log says so',
  async (code) => {
    expect(await written(failing(code))).toEqual({ tries: 1, lines: ['a response could not be kept'] })
  },
)

test.each(['ECONNREFUSED', '57P01', 'SQLITE_FULL'])(
  'what a database that is away (%s) did not take is written when it is back',
  async (code) => {
    expect(await written(failing(code), failing(code))).toEqual({ tries: 3, lines: [] })
  },
)

test('what fails for a reason nobody foresaw is tried again, and the log says why', async () => {
  expect(await written(new Error('nobody foresaw this'))).toEqual({ tries: 2, lines: ['a response is not kept yet'] })
})
