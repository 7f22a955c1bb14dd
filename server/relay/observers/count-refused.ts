import { type Context, epochSeconds } from '#server/context.ts'
import { addRefused } from '#server/db/refused-models.ts'

/** Counts what is refused for want of a price; never waits and never throws. */
export interface RefusedModels {
  count(model: string): void
}

/** The pause between two writes: after each one the ledger has to read balances again. */
const pauseMs = 200

/** One write at a time, and a pause after it: what comes meanwhile goes into the next, however fast that is. */
export function createRefusedModels(ctx: Context): RefusedModels {
  let waiting = new Map<string, number>()
  let isWriting = false
  const write = async () => {
    isWriting = true
    while (waiting.size > 0) {
      const counts = waiting
      waiting = new Map()
      await addRefused(ctx.database.db, counts, epochSeconds(ctx)).catch((cause) =>
        ctx.log.error('refused requests were not counted', { cause }),
      )
      await Bun.sleep(pauseMs)
    }
    isWriting = false
  }
  return {
    count(model) {
      waiting.set(model, (waiting.get(model) ?? 0) + 1)
      if (!isWriting) void write()
    },
  }
}
