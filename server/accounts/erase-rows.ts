import { type SqlBool, sql } from 'kysely'
import type { Context } from '#server/context.ts'
import { type AnyDatabase, isSqlite, type Tx } from '#server/db/database.ts'
import { removeSomeLogsOfUser } from '#server/db/logs/log-totals.ts'
import { lockUsageMark } from '#server/db/usage/fold.ts'
import { forgetSomeTokenNames } from '#server/db/usage/store.ts'
import { othersTurn } from '#server/lib/others-turn.ts'

const workKind = 'erase'

/** What a closed account has left behind is erased behind the transaction, in steps: it may be millions of rows. */
export async function requestErasing(tx: Tx, userId: number): Promise<void> {
  await tx
    .insertInto('later_work')
    .values({ kind: workKind, id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Erases at most so many rows and returns how many. */
type Step = (tx: Tx, userId: number, most: number) => Promise<number>

async function forgetState(tx: Tx, userId: number, most: number): Promise<number> {
  const some = tx.selectFrom('relay_state').select('id').where('user_id', '=', userId).limit(most)
  const { numDeletedRows } = await tx
    .deleteFrom('relay_state')
    .where('user_id', '=', userId)
    .where('id', 'in', some)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function forgetUnlogged(tx: Tx, userId: number, most: number): Promise<number> {
  const isNamed = sql<SqlBool>`token_name <> ''`
  const some = tx.selectFrom('unlogged_usage').select('id').where('user_id', '=', userId).where(isNamed).limit(most)
  const { numUpdatedRows } = await tx
    .updateTable('unlogged_usage')
    .set({ token_name: '' })
    .where('id', 'in', some)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Rows of the log are counted in the roll-ups as they go, by the names of tokens, which are forgotten last. */
const steps: readonly Step[] = [
  forgetState,
  removeSomeLogsOfUser,
  forgetUnlogged,
  async (tx, userId, most) => {
    await lockUsageMark(tx)
    return forgetSomeTokenNames(tx, userId, most)
  },
]

/** On SQLite nothing else is done meanwhile. */
const rowsPerStep = (database: AnyDatabase): number => (database.engine === 'sqlite' ? 200 : 1000)

/** Several nodes may do it at once, one step after the other: none sees nothing left because another is at it. */
async function lockWork(tx: Tx, userId: number): Promise<void> {
  if (isSqlite(tx)) return
  const work = tx.selectFrom('later_work').select('id').where('kind', '=', workKind).where('id', '=', userId)
  await work.forUpdate().execute()
}

const pauseMs = 2

/** Erases what closed accounts have left, also those of a node that is gone. Stops where the database is closed. */
export async function eraseClosedAccounts(ctx: Context): Promise<void> {
  const { db, closed } = ctx.database
  const left = await db.selectFrom('later_work').select('id').where('kind', '=', workKind).orderBy('id').execute()
  for (const { id } of left) {
    for (const step of steps) {
      for (let count = -1; count !== 0; ) {
        if (closed.aborted) return
        count = await db.transaction().execute(async (tx) => {
          await lockWork(tx, id)
          return step(tx, id, rowsPerStep(ctx.database))
        })
        await (isSqlite(db) ? othersTurn() : Bun.sleep(pauseMs))
      }
    }
    await db.deleteFrom('later_work').where('kind', '=', workKind).where('id', '=', id).execute()
  }
}

/** How long a call waits for what is soon erased. */
const patienceMs = 300

/** Begins to erase what a call has left behind; a job goes on where this ends. */
export async function eraseSoon(ctx: Context): Promise<void> {
  const erased = eraseClosedAccounts(ctx).catch((cause) => {
    if (!ctx.database.closed.aborted) ctx.log.error('a closed account is not erased yet', { cause })
  })
  await Promise.race([erased, Bun.sleep(patienceMs)])
}
