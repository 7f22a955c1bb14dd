import type { Tx } from '#server/db/database.ts'

type Holder = 'user' | 'token' | 'team'

const columns = {
  user: { id: 'user_id', amount: 'amount' },
  token: { id: 'token_id', amount: 'token_amount' },
  team: { id: 'team_id', amount: 'team_amount' },
} as const

async function openHolds(tx: Tx, holder: Holder, id: number) {
  const { id: owner, amount } = columns[holder]
  return tx
    .selectFrom('holds')
    .select(['id', `${amount} as held`])
    .where(owner, '=', id)
    .where(amount, '>', 0)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** What running requests hold of a balance whose row the caller has locked. On SQLite that is not in the database. */
export async function heldFor(tx: Tx, holder: Holder, id: number): Promise<number> {
  const holds = await openHolds(tx, holder, id)
  return holds.reduce((sum, { held }) => sum + held, 0)
}

/** The membership id under which a user's running requests hold money of a team; 0: none. */
export async function heldMember(tx: Tx, user: number, team: number): Promise<number> {
  const hold = await tx
    .selectFrom('holds')
    .select('member_id')
    .where('user_id', '=', user)
    .where('team_id', '=', team)
    .executeTakeFirst()
  return hold?.member_id ?? 0
}

/** Reduces the holds to the money that is left, the youngest first. Returns what they still hold. */
export async function shrinkHolds(tx: Tx, holder: Holder, id: number, total: number): Promise<number> {
  let left = total
  for (const hold of await openHolds(tx, holder, id)) {
    const kept = Math.min(hold.held, left)
    left -= kept
    if (kept < hold.held)
      await tx
        .updateTable('holds')
        .set({ [columns[holder].amount]: kept })
        .where('id', '=', hold.id)
        .execute()
  }
  return total - left
}
