import { type Context, epochSeconds } from '#server/context.ts'
import type { ChatFault } from '#server/dialects/chat.ts'
import { faultText } from './fault-text.ts'

/** A channel that fails a thousand times a second is written down as often as this. */
const pauseMs = 5000

/** Keeps the last fault of each channel for its operator; never waits and never throws. */
export function createLastErrors(ctx: Context): { note(channelId: number, fault: ChatFault): void } {
  const written = new Map<number, number>()
  const write = async (id: number, fault: ChatFault) => {
    const error = { last_error: faultText(fault), last_error_time: epochSeconds(ctx) }
    await ctx.database.db.updateTable('channels').set(error).where('id', '=', id).execute()
  }
  return {
    note(id, fault) {
      const now = ctx.clock()
      if (now - (written.get(id) ?? Number.NEGATIVE_INFINITY) < pauseMs) return
      written.set(id, now)
      write(id, fault).catch((cause) => ctx.log.error('the fault of a channel was not kept', { channel: id, cause }))
    },
  }
}
