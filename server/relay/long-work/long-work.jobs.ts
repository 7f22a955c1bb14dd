import { type Context, epochSeconds } from '#server/context.ts'
import type { LongWorkTable } from '#server/db/tables.ts'
import type { Job } from '#server/jobs/job.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { findLost } from './find-lost.ts'
import { abandonedWork, dueWork } from './long-work.store.ts'
import { lookInTurn } from './look.ts'
import { openWork, type Work, type WorkKind } from './work.ts'

type Kinds = ReadonlyMap<string, WorkKind>

/** An error with one piece of work is logged and does not stop the others. */
async function alone(
  ctx: Context,
  kinds: Kinds,
  row: LongWorkTable,
  goOn: (kind: WorkKind, work: Work) => Promise<void>,
): Promise<void> {
  const kind = kinds.get(row.kind)
  try {
    if (kind) await goOn(kind, openWork(ctx, row))
  } catch (cause) {
    ctx.log.error('long work cannot be gone on with', { work: row.id, cause })
  }
}

const looksAtOnce = 8

/** Looks at all that vendors work on, at least once a minute whether or not anybody asks. Several nodes share the looks. */
export const longWorkJob = (context: RelayContext, kinds: Kinds): Job => ({
  name: 'look-at-long-work',
  everyMs: 20_000,
  async run(ctx) {
    const due = await dueWork(ctx.database.db, epochSeconds(ctx))
    const look = async () => {
      for (let next = due.shift(); next; next = due.shift())
        await alone(ctx, kinds, next, (kind, work) => lookInTurn(context, kind, work))
    }
    await Promise.all(Array.from({ length: looksAtOnce }, look))
  },
})

/** Looks for work that its node left unfinished, one after the other, so that a vendor's entry is not taken for two of them. */
export const lostWorkJob = (context: RelayContext, kinds: Kinds): Job => ({
  name: 'find-lost-work',
  everyMs: 20_000,
  leader: true,
  async run(ctx) {
    for (const row of await abandonedWork(ctx))
      await alone(ctx, kinds, row, (kind, work) => findLost(context, kind, work))
  },
})
