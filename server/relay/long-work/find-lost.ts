import { epochSeconds } from '#server/context.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { begunWork, isNewId } from './long-work.store.ts'
import { giveUp } from './look.ts'
import type { Work, WorkKind } from './work.ts'

/** Work that is not in the vendor's list after this time was never begun. */
const beginsWithinSeconds = 60
/** How long a vendor that cannot be asked is waited for. */
const unaskedSeconds = 3600

/** Looks in the vendor's list for work whose beginning was not confirmed. What is found goes on and is paid; otherwise the hold is given back. */
export async function findLost(context: RelayContext, kind: WorkKind, work: Work): Promise<void> {
  const { ctx } = context
  const { db } = ctx.database
  const found = kind.find
    ? await kind
        .find(context, work, (id) => isNewId(db, id))
        .catch((cause) => {
          ctx.log.warn('long work could not be looked for', { work: work.id, kind: work.kind, cause })
          return 'unasked' as const
        })
    : 'none'
  const now = epochSeconds(ctx)
  if (typeof found === 'object') {
    const begun = { ...work, vendor_id: kind.idOf(found.answer) ?? '' }
    await begunWork(db, work.id, begun.vendor_id, now)
    await kind.keep(context, begun, found.answer)
    return
  }
  const allowedSeconds = { none: beginsWithinSeconds, unasked: unaskedSeconds, unsure: work.ends_at - work.created_at }
  if (now - work.created_at > allowedSeconds[found]) await giveUp(context, work)
}
