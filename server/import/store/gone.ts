import type { Tx } from '#server/db/database.ts'
import { createIdSet, type IdSet } from '#server/lib/flat-sets.ts'
import { channelStatus, redemptionStatus, tokenStatus, userStatus } from '#shared/statuses.ts'

const tables = ['users', 'tokens', 'channels', 'redemptions'] as const

/** Ids that are there and alive, by table. */
export type Present = Readonly<Record<(typeof tables)[number], IdSet>>

export const newPresent = (): Present => ({
  users: createIdSet(),
  tokens: createIdSet(),
  channels: createIdSet(),
  redemptions: createIdSet(),
})

/** What it means that a row works, and what becomes of it when its original is gone. */
const states = {
  users: [userStatus.activated, userStatus.banned],
  tokens: [tokenStatus.enabled, tokenStatus.disabled],
  channels: [channelStatus.enabled, channelStatus.manuallyDisabled],
  redemptions: [redemptionStatus.unused, redemptionStatus.disabled],
} as const

const rowsAtOnce = 1000

/** The numbers of rows that work, a page at a time. */
async function* idPages(tx: Tx, table: (typeof tables)[number], working: number): AsyncGenerator<number[]> {
  let last = 0
  for (;;) {
    const rows = await tx
      .selectFrom(table)
      .select('id')
      .where('status', '=', working)
      .where('id', '>', last)
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute()
    const end = rows.at(-1)
    if (!end) return
    yield rows.map(({ id }) => id)
    last = end.id
  }
}

/** What was taken over and has been deleted there since works here no more. */
export async function disableGone(tx: Tx, present: Present): Promise<number> {
  let count = 0
  for (const table of tables) {
    const [working, off] = states[table]
    for await (const page of idPages(tx, table, working)) {
      const gone = page.filter((id) => !present[table].has(id))
      count += gone.length
      if (gone.length > 0) await tx.updateTable(table).set({ status: off }).where('id', 'in', gone).execute()
    }
  }
  return count
}
