import { epochSeconds } from '#server/context.ts'
import type { Job } from '#server/jobs/job.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { abandonedWork, dueWork } from './long-work.store.ts'
import { giveUp, lookInTurn } from './look.ts'
import { openWork, type WorkKind } from './work.ts'

const looksAtOnce = 8

/** Looks at all that vendors work on, at least once a minute whether or not anybody asks. Several nodes share the looks. */
export const longWorkJob = (context: RelayContext, kinds: Readonly<Record<string, WorkKind>>): Job => ({
  name: 'look-at-long-work',
  everyMs: 20_000,
  async run(ctx) {
    for (const row of await abandonedWork(ctx)) await giveUp(context, openWork(ctx, row))
    const due = await dueWork(ctx.database.db, epochSeconds(ctx))
    const look = async () => {
      for (let row = due.shift(); row; row = due.shift()) {
        const kind = kinds[row.kind]
        if (kind) await lookInTurn(context, kind, openWork(ctx, row))
      }
    }
    await Promise.all(Array.from({ length: looksAtOnce }, look))
  },
})
