import { epochSeconds } from '#server/context.ts'
import type { JsonObject } from '#server/lib/json.ts'
import { refusal, refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { withHeldKey } from '#server/relay/state/keep-to-holder.ts'
import { dropState } from '#server/relay/state/state.store.ts'
import { askChannel } from '#server/relay/stored/held-by-vendor.ts'
import { lookEverySeconds } from './begin.ts'
import { claimLook, dropWork } from './long-work.store.ts'
import { settleWork } from './settle-work.ts'
import type { Work, WorkKind } from './work.ts'

/** The channel that began the work, even if it has been disabled since. */
export async function workerOf({ ctx, routing }: RelayContext, work: Pick<Work, 'channel_id' | 'key_hash'>) {
  const channel = (await routing.table()).channels.get(work.channel_id)
  const held = channel && withHeldKey(ctx, channel, work.key_hash)
  if (!held) throw refuse('stateGone')
  return held
}

/** Looks that are under way. Reading the results of a batch takes long, so a second caller waits for the first look. */
const looks = new Map<string, Promise<JsonObject>>()

/** Asks its vendor how far it is and pays it when it has ended. Returns what the vendor said. */
export function look(context: RelayContext, kind: WorkKind, work: Work): Promise<JsonObject> {
  const under = looks.get(work.id)
  if (under) return under
  const begun = lookOnce(context, kind, work).finally(() => looks.delete(work.id))
  looks.set(work.id, begun)
  return begun
}

async function lookOnce(context: RelayContext, kind: WorkKind, work: Work): Promise<JsonObject> {
  const channel = await workerOf(context, work)
  const question = { method: 'GET', path: kind.path(work.vendor_id) } as const
  const answer = await askChannel(context, channel, question, AbortSignal.timeout(60_000))
  const state = kind.state(answer)
  if (state !== 'running') {
    const used = state === 'failed' ? [] : await kind.used(context, work, answer)
    await settleWork(context, work, { outcome: state, used })
  }
  await kind.keep(context, work, answer)
  if (state !== 'running') await dropWork(context.ctx.database.db, work.id)
  return answer
}

/** How long a node has for one look before another may look too. */
const claimSeconds = 300

/** One look at what is due; what has not ended in time, or cannot be found out, is given back. */
export async function lookInTurn(context: RelayContext, kind: WorkKind, work: Work): Promise<void> {
  const { ctx } = context
  const { db } = ctx.database
  const now = epochSeconds(ctx)
  if (!(await claimLook(db, work, now + claimSeconds))) return
  const isOver = await look(context, kind, work)
    .then((answer) => kind.state(answer) !== 'running')
    .catch((cause) => {
      ctx.log.warn('long work could not be looked at', { work: work.id, kind: work.kind, cause })
      return false
    })
  if (!isOver && now > work.ends_at) await giveUp(context, work)
  await claimLook(db, { id: work.id, next_look_at: now + claimSeconds }, epochSeconds(ctx) + lookEverySeconds)
}

/** Ends work of unknown fate: nothing is charged and its result is not handed out. */
export async function giveUp(context: RelayContext, work: Work): Promise<void> {
  await settleWork(context, work, { outcome: 'failed', used: [], fault: refusal('workLost') })
  await dropState(context.ctx.database.db, work.user_id, work.vendor_id)
  await dropWork(context.ctx.database.db, work.id)
}
