import { createLanes } from '#server/lib/turns/lanes.ts'
import { RelayFault, refusal } from '#server/relay/refusals.ts'
import type { Caller } from '#server/relay/request/caller.ts'

/** Programs that send many batches at once wait for each other; this many may. */
const waitingMost = 8

const lanes = createLanes(waitingMost)

/** Measures one batch of a user at a time, so that nobody else waits for many of them. */
export async function oneQuote<Result>(caller: Caller, quote: () => Promise<Result>): Promise<Result> {
  const quoted = lanes.run(String(caller.userId), quote)
  if (quoted) return await quoted
  const whose = { whose: `user ${caller.username}`, value: waitingMost, unit: 'batches that wait', seconds: 5 }
  throw new RelayFault(refusal('rateLimited', whose), '5', {}, { name: 'rateLimited' })
}
