import type { Tx } from '#server/db/database.ts'
import { channelStatus, redemptionStatus, tokenStatus, userStatus } from '#shared/statuses.ts'

const tables = ['users', 'tokens', 'channels', 'redemptions'] as const

/** Ids that are there and alive, by table. */
export type Present = Readonly<Record<(typeof tables)[number], Set<number>>>

export const newPresent = (): Present => ({
  users: new Set(),
  tokens: new Set(),
  channels: new Set(),
  redemptions: new Set(),
})

/** What it means that a row works, and what becomes of it when its original is gone. */
const states = {
  users: [userStatus.activated, userStatus.banned],
  tokens: [tokenStatus.enabled, tokenStatus.disabled],
  channels: [channelStatus.enabled, channelStatus.manuallyDisabled],
  redemptions: [redemptionStatus.unused, redemptionStatus.disabled],
} as const

const rowsAtOnce = 500

/** What was taken over and has been deleted there since works here no more. */
export async function disableGone(tx: Tx, present: Present): Promise<number> {
  let count = 0
  for (const table of tables) {
    const [working, off] = states[table]
    const rows = await tx.selectFrom(table).select('id').where('status', '=', working).execute()
    const gone = rows.map(({ id }) => id).filter((id) => !present[table].has(id))
    count += gone.length
    for (let at = 0; at < gone.length; at += rowsAtOnce) {
      await tx
        .updateTable(table)
        .set({ status: off })
        .where('id', 'in', gone.slice(at, at + rowsAtOnce))
        .execute()
    }
  }
  return count
}
