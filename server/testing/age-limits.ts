import type { Db } from '#server/db/database.ts'

/** Puts everything that limits have counted so far this many seconds into the past. Of PostgreSQL, whose clock counts there. */
export async function ageLimits(db: Db, seconds: number): Promise<void> {
  const rows = await db.selectFrom('limit_windows').select(['key', 'state']).execute()
  for (const { key, state } of rows) {
    const aged = (JSON.parse(state) as number[][]).map(([first = 0, last = 0, ...counts]) => [
      first - seconds * 1000,
      last - seconds * 1000,
      ...counts,
    ])
    await db
      .updateTable('limit_windows')
      .set({ state: JSON.stringify(aged) })
      .where('key', '=', key)
      .execute()
  }
}
