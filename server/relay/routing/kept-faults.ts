import { type Context, epochSeconds } from '#server/context.ts'
import type { ChannelTrouble } from '#server/db/tables.ts'
import type { ChatFault } from '#server/dialects/chat.ts'
import { redactedFault } from './redacted-fault.ts'

/** The shortest time between two writes for one channel, however often it fails. */
const pauseMs = 5000
const quarterSeconds = 900
/** Enough for two days of a hundred channels. */
const knownMax = 20_000

/** Stores faults for the operator, in the background; never throws. */
export interface KeptFaults {
  /** The last fault of a channel. */
  note(channelId: number, fault: ChatFault): void
  /** The quarter hours in which a channel was in trouble, up to a time in milliseconds. */
  trouble(channelId: number, kind: ChannelTrouble, until: number): void
}

export function createKeptFaults(ctx: Context): KeptFaults {
  const written = new Map<number, number>()
  const known = new Set<string>()
  const report = (channel: number) => (cause: unknown) =>
    ctx.log.error('the fault of a channel was not kept', { channel, cause })
  const write = async (id: number, fault: ChatFault) => {
    const error = { last_error: redactedFault(fault), last_error_time: epochSeconds(ctx) }
    await ctx.database.db.updateTable('channels').set(error).where('id', '=', id).execute()
  }
  const mark = async (channel_id: number, kind: ChannelTrouble, slots: readonly number[]) => {
    const rows = slots.map((slot) => ({ channel_id, kind, slot }))
    await ctx.database.db
      .insertInto('channel_troubles')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return {
    note(id, fault) {
      const now = ctx.clock()
      if (now - (written.get(id) ?? Number.NEGATIVE_INFINITY) < pauseMs) return
      written.set(id, now)
      write(id, fault).catch(report(id))
    },
    trouble(id, kind, until) {
      const now = epochSeconds(ctx)
      const slots: number[] = []
      for (let slot = now - (now % quarterSeconds); slot * 1000 <= until; slot += quarterSeconds) {
        const name = `${id} ${kind} ${slot}`
        if (known.has(name)) continue
        if (known.size >= knownMax) known.clear()
        known.add(name)
        slots.push(slot)
      }
      if (slots.length > 0) mark(id, kind, slots).catch(report(id))
    },
  }
}
