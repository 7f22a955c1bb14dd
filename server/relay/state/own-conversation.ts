import type { Context } from '#server/context.ts'
import type { JsonObject } from '#server/lib/json.ts'
import { openConversation } from './own-response.ts'
import type { StateRow } from './state.store.ts'

/** Turns that end at one moment are added one after the other. */
export async function appendToConversation(
  ctx: Context,
  userId: number,
  id: string,
  items: readonly JsonObject[],
): Promise<void> {
  await changeConversation(ctx, userId, id, (own) => ({ ...own, items: [...own.items, ...items] }))
}

type Change = (own: { metadata: JsonObject; items: readonly JsonObject[] }) => {
  metadata: JsonObject
  items: readonly JsonObject[]
}

export async function changeConversation(ctx: Context, userId: number, id: string, change: Change): Promise<void> {
  await ctx.database.db.transaction().execute(async (tx) => {
    const query = tx.selectFrom('relay_state').selectAll().where('user_id', '=', userId).where('id', '=', id)
    const row = await (ctx.database.engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
    if (!row) return
    const { metadata, items } = openConversation(ctx.secrets, row as StateRow)
    const body_sealed = ctx.secrets.seal(JSON.stringify(change({ metadata, items })))
    await tx
      .updateTable('relay_state')
      .set({ body_sealed })
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .execute()
  })
}
