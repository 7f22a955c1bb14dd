import { epochSeconds } from '#server/context.ts'
import type { LongWorkTable } from '#server/db/tables.ts'
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
    /** What is wrong with one of them is no reason to leave the others. */
    const alone = (row: LongWorkTable, work: () => Promise<void>) =>
      work().catch((cause) => ctx.log.error('long work cannot be gone on with', { work: row.id, cause }))
    for (const row of await abandonedWork(ctx)) await alone(row, async () => giveUp(context, openWork(ctx, row)))
    const due = await dueWork(ctx.database.db, epochSeconds(ctx))
    const look = async () => {
      for (let next = due.shift(); next; next = due.shift()) {
        const row = next
        const kind = kinds[row.kind]
        if (kind) await alone(row, async () => lookInTurn(context, kind, openWork(ctx, row)))
      }
    }
    await Promise.all(Array.from({ length: looksAtOnce }, look))
  },
})
